// State machines as tables: status, move, next status. Absent moves are not allowed.

export type Table<Status extends string, Move extends string> = Record<Status, Partial<Record<Move, Status>>>

/** The status that a move leads to, or undefined when the table has no such move from here. */
export function next<Status extends string, Move extends string>(
  table: Table<Status, Move>,
  status: Status,
  move: Move,
): Status | undefined {
  return Object.hasOwn(table[status], move) ? table[status][move] : undefined
}

/** The targets of the moves from a status. */
const onwardFrom = <Status extends string>(table: Table<Status, string>, status: Status): Status[] =>
  Object.values<Status | undefined>(table[status]).filter((onward) => onward !== undefined)

export const isTerminal = <Status extends string>(table: Table<Status, string>, status: Status): boolean =>
  Object.keys(table[status]).length === 0

/** Returns the number of statuses on the longest path from `start`, including `start`. Throws when the table has a cycle. */
export function longestPath<Status extends string>(
  table: Table<Status, string>,
  start: Status,
  seen: Status[] = [],
): number {
  if (seen.includes(start)) throw new Error(`cycle: ${[...seen, start].join(' -> ')}`)
  return 1 + Math.max(0, ...onwardFrom(table, start).map((status) => longestPath(table, status, [...seen, start])))
}

/** Whether a path leads from one status to another; a status leads to itself only through a cycle. */
export function leadsTo<Status extends string>(table: Table<Status, string>, from: Status, to: Status): boolean {
  const reached = new Set<Status>()
  const open = [from]
  for (let status = open.pop(); status !== undefined; status = open.pop())
    for (const onward of onwardFrom(table, status))
      if (!reached.has(onward)) {
        reached.add(onward)
        open.push(onward)
      }
  return reached.has(to)
}
