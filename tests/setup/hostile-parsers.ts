// Parsers that misbehave, for tests of the worker thread that runs them.
import { Refusal } from '@lendloom/foundation/refusal'

export const echo = (bytes: Buffer): { text: string; isBuffer: boolean } => ({
  text: bytes.toString('utf8'),
  isBuffer: Buffer.isBuffer(bytes),
})

export const environmentVariableCount = (): number => Object.keys(process.env).length

export function spin(): never {
  for (;;);
}

export function spinFor(ms: number): string {
  const end = performance.now() + ms
  while (performance.now() < end);
  return 'done'
}

export const backtrack = (): boolean => /^(a+)+$/.test(`${'a'.repeat(60)}b`)

export const waitForever = (): Promise<never> => new Promise(() => setInterval(() => {}, 1000))

export const pause = (ms: number): Promise<string> => new Promise((resolve) => setTimeout(() => resolve('done'), ms))

export function fillMemory(): never {
  for (const held: number[][] = []; ; ) held.push(Array<number>(100_000).fill(held.length))
}

export function refuse(field: string): never {
  throw new Refusal('invalid', 'this is not what it says', { field })
}

export const exitProcess = (): never => process.exit(0)

export function throwLater(): Promise<never> {
  setImmediate(() => {
    throw new TypeError('Cannot read properties of undefined')
  })
  return new Promise(() => {})
}

export function fail(): never {
  throw new TypeError('a mistake of ours')
}

export function counting(from: number) {
  let count = from
  return { add: (bytes: Buffer) => (count += bytes.length), spin }
}
