// A machine is a table: status, then move, then the next status. What is absent is refused.

export type Table<Status extends string, Move extends string> = Record<Status, Partial<Record<Move, Status>>>

/** The status that a move leads to, or undefined when the table has no such move from here. */
export function next<Status extends string, Move extends string>(
  table: Table<Status, Move>,
  status: Status,
  move: Move,
): Status | undefined {
  return table[status][move]
}

export const isTerminal = <Status extends string>(table: Table<Status, string>, status: Status): boolean =>
  Object.keys(table[status]).length === 0

/** How many statuses the longest walk from `start` passes through, `start` included. Throws when the table has a cycle. */
export function longestPath<Status extends string>(
  table: Table<Status, string>,
  start: Status,
  seen: Status[] = [],
): number {
  if (seen.includes(start)) throw new Error(`cycle: ${[...seen, start].join(' -> ')}`)
  const onward = Object.values(table[start]) as Status[]
  return 1 + Math.max(0, ...onward.map((status) => longestPath(table, status, [...seen, start])))
}

/** Whether some walk leads from one status to another; a status does not lead to itself. */
export function leadsTo<Status extends string>(table: Table<Status, string>, from: Status, to: Status): boolean {
  const onward = Object.values(table[from]) as Status[]
  return onward.some((status) => status === to || leadsTo(table, status, to))
}
