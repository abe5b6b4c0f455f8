// Several things asked for at the same time, each under its name.

/** What every promise gives, under the same names; rejects as the first one that does. */
export async function allOf<T extends Record<string, unknown>>(
  promises: T,
): Promise<{ [Name in keyof T]: Awaited<T[Name]> }> {
  const given = await Promise.all(Object.values(promises))
  return Object.fromEntries(Object.keys(promises).map((name, i) => [name, given[i]])) as never
}
