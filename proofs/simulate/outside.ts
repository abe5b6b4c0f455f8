// Waits for the little that really happens outside the simulation: file operations, threads, some cryptography.
import { createRequire, syncBuiltinESMExports } from 'node:module'
import { Transform, type TransformCallback } from 'node:stream'
import { busyUntil } from './install.ts'

const load = createRequire(import.meta.url)

/** Until their promise settles, no further step begins. */
function awaitAll(holder: Record<string, unknown>, names: string[]): void {
  for (const name of names) {
    const original = holder[name]
    if (typeof original !== 'function') continue
    holder[name] = function (this: unknown, ...args: unknown[]) {
      const answer: unknown = original.apply(this, args)
      return answer instanceof Promise ? busyUntil(answer) : answer
    }
  }
}

/** The same for functions with a callback as their last argument. */
function awaitCallbacks(holder: Record<string, unknown>, names: string[]): void {
  for (const name of names) {
    const original = holder[name]
    if (typeof original !== 'function') continue
    holder[name] = function (this: unknown, ...args: unknown[]) {
      const done = args.at(-1)
      if (typeof done !== 'function') return original.apply(this, args)
      const { promise, resolve } = Promise.withResolvers<void>()
      busyUntil(promise)
      return original.call(this, ...args.slice(0, -1), (...answer: unknown[]) => {
        resolve()
        done(...answer)
      })
    }
  }
}

export async function installOutside(): Promise<void> {
  const files = load('node:fs/promises')
  const handle = await files.open('/dev/null', 'r')
  awaitAll(Object.getPrototypeOf(handle), [
    'read',
    'write',
    'writeFile',
    'sync',
    'datasync',
    'close',
    'stat',
    'readFile',
  ])
  await handle.close()
  awaitAll(files, Object.keys(files))
  awaitAll(
    Object.getPrototypeOf(globalThis.crypto.subtle),
    Object.getOwnPropertyNames(Object.getPrototypeOf(globalThis.crypto.subtle)),
  )
  awaitCallbacks(load('node:crypto'), ['argon2', 'scrypt', 'pbkdf2', 'generateKeyPair', 'hkdf'])
  awaitCallbacks(load('node:fs'), ['read', 'write', 'open', 'close', 'fstat', 'stat', 'fsync', 'fdatasync'])
  const zlib = load('node:zlib')
  awaitCallbacks(zlib, ['brotliCompress', 'gzip', 'deflate', 'inflate'])
  Object.defineProperty(zlib, 'createDeflate', {
    value: (options: object) => wholeTransform((bytes) => zlib.deflateSync(bytes, options)),
  })
  const { createInflateRaw } = zlib
  Object.defineProperty(zlib, 'createInflateRaw', {
    value: (options: object) => awaitWrites(createInflateRaw(options)),
  })
  syncBuiltinESMExports()
}

/** Until a stream has taken what was written to it, or is closed, no further step begins. */
function awaitWrites(stream: Transform): Transform {
  const write = stream.write.bind(stream)
  const awaitedWrite = (bytes: Buffer, done?: (error?: Error | null) => void) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    busyUntil(promise)
    stream.once('close', resolve)
    return write(bytes, (error) => {
      stream.off('close', resolve)
      resolve()
      done?.(error)
    })
  }
  return Object.assign(stream, { write: awaitedWrite })
}

function wholeTransform(change: (bytes: Buffer) => Buffer): Transform {
  const chunks: Buffer[] = []
  return new Transform({
    transform(chunk: Buffer, _encoding: string, done: TransformCallback) {
      chunks.push(chunk)
      done()
    },
    flush(done: TransformCallback) {
      done(null, change(Buffer.concat(chunks)))
    },
  })
}
