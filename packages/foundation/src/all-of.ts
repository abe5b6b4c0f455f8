// Awaits the promises of a record.

/** Awaits all promises of a record; rejects with the error of the first one that rejects. */
export async function allOf<T extends Record<string, unknown>>(
  promises: T,
): Promise<{ [Name in keyof T]: Awaited<T[Name]> }> {
  const results = await Promise.all(Object.values(promises))
  return Object.fromEntries(Object.keys(promises).map((name, i) => [name, results[i]])) as never
}
