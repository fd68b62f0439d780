#include "slots.h"

static int slots_find(struct slots *s)
{
	int i;

	for (i = 0; i < NR_SLOTS; i++)
		if (!s->map[i])
			return i;
	return -1;
}

int slots_get(struct slots *s)
{
	int i = slots_find(s);

	if (i < 0)
		return -1;
	s->map[i] = 1;
	return i;
}

void slots_put(struct slots *s, int i)
{
	s->map[i] = 0;
}

bool slots_used(struct slots *s, int i)
{
	return s->map[i];
}
