// Percentiles of a duration, estimated from the counts of a histogram.

/**
 * Histogram buckets are logarithmic, with four per power of two: bucket `n` starts at 2^(n/4). Bucket 0 also holds all
 * values below 1.
 */
const bucketsPerDoubling = 4

const lowerBoundOf = (bucket: number): number => 2 ** (bucket / bucketsPerDoubling)

/**
 * The value below which the proportion `share` of a histogram lies, interpolated linearly within a bucket; null for an
 * empty histogram. The error is at most 19 %, the width of a bucket.
 */
export function percentileOf(buckets: ReadonlyMap<number, number>, share: number): number | null {
  const sorted = [...buckets].sort(([a], [b]) => a - b)
  const total = sorted.reduce((sum, [, count]) => sum + count, 0)
  let remaining = total * share
  let upperBound = 0
  for (const [bucket, count] of sorted) {
    const low = bucket === 0 ? 0 : lowerBoundOf(bucket)
    const high = lowerBoundOf(bucket + 1)
    if (remaining <= count) return low + ((high - low) * remaining) / count
    remaining -= count
    upperBound = high
  }
  return total === 0 ? null : upperBound
}
