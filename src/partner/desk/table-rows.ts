// How a page with a list learns that a file is made of it, and how much of the list goes in.

import { Type } from '#kit/http/schema.ts'

export const csvQuery = { csv: Type.Optional(Type.String({ pattern: '^[a-z0-9-]{1,80}$' })) }

/** Rows of a list that has pages; who needs more filters. */
export const mostRows = 5000
