// State machines as tables of status, move and next status. A move that is not in the table is not allowed.

export type Table<Status extends string, Move extends string> = Record<Status, Partial<Record<Move, Status>>>

/** Returns the status after the move; undefined when the table does not allow the move from this status. */
export function next<Status extends string, Move extends string>(
  table: Table<Status, Move>,
  status: Status,
  move: Move,
): Status | undefined {
  return Object.hasOwn(table[status], move) ? table[status][move] : undefined
}

const targetsFrom = <Status extends string>(table: Table<Status, string>, status: Status): Status[] =>
  Object.values<Status | undefined>(table[status]).filter((target) => target !== undefined)

export const isTerminal = <Status extends string>(table: Table<Status, string>, status: Status): boolean =>
  Object.keys(table[status]).length === 0

/** Returns the number of statuses on the longest path from `start` on. Throws when the table has a cycle. */
export function longestPath<Status extends string>(
  table: Table<Status, string>,
  start: Status,
  visited: Status[] = [],
): number {
  if (visited.includes(start)) throw new Error(`cycle: ${[...visited, start].join(' -> ')}`)
  return 1 + Math.max(0, ...targetsFrom(table, start).map((status) => longestPath(table, status, [...visited, start])))
}

/** Whether a path leads from one status to another; a status leads to itself only through a cycle. */
export function leadsTo<Status extends string>(table: Table<Status, string>, from: Status, to: Status): boolean {
  const reached = new Set<Status>()
  const unvisited = [from]
  for (let status = unvisited.pop(); status !== undefined; status = unvisited.pop())
    for (const target of targetsFrom(table, status))
      if (!reached.has(target)) {
        reached.add(target)
        unvisited.push(target)
      }
  return reached.has(to)
}
