#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# run-one.sh TEST: a shell script or a program, for prove.
case $1 in
*.sh) exec sh "$@" ;;
*) exec "$@" ;;
esac
