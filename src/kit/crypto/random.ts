// Random octets, drawn from the system a page at a time: asking it for twelve costs as much as asking for thousands.
import { randomFillSync } from 'node:crypto'

const page = Buffer.alloc(4096)
let used = page.length

/** Cryptographically random octets. What was given away is wiped from the page, so nobody can read it there again. */
export function randomOctets(size: number): Buffer {
  if (size > page.length) return randomFillSync(Buffer.alloc(size))
  if (used + size > page.length) {
    randomFillSync(page)
    used = 0
  }
  const drawn = Buffer.from(page.subarray(used, used + size))
  page.fill(0, used, used + size)
  used += size
  return drawn
}
