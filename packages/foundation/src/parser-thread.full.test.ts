// A parser that hangs, uses too much memory or crashes ends only its own thread, and its caller gets the reason.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openParser, ParserFailure, type ParserFault, runParser } from './parser-thread.ts'

const module = new URL(import.meta.resolve('@lendloom/tests/setup/hostile-parsers'))
const run = <T>(name: string, ...args: unknown[]): Promise<T> => runParser<T>({ module, name }, ...args)
const deadlineMs = 300
const runWithShortDeadline = <T>(name: string, ...args: unknown[]): Promise<T> =>
  runParser<T>({ module, name, deadlineMs }, ...args)
const hasFault = (fault: ParserFault) => (error: unknown) => error instanceof ParserFailure && error.fault === fault
const exceedsLimit = (error: unknown) => hasFault('too-slow')(error) || hasFault('too-much-memory')(error)
const echo = (text: string) => run<{ text: string; isBuffer: boolean }>('echo', Buffer.from(text))

test('passes bytes as a Buffer, hides environment variables, and rethrows the errors of the parser', async () => {
  assert.deepEqual(await echo('नमस्ते'), { text: 'नमस्ते', isBuffer: true })
  assert.equal(await run('environmentVariableCount'), 0)
  await assert.rejects(run('fail'), /a mistake of ours/)
  await assert.rejects(run('absent'), /has no absent/)
})

test('rejects a parser that loops, waits forever, uses too much memory or crashes, and answers the queued calls', async () => {
  const hostile: Record<string, ParserFault | null> = {
    spin: 'too-slow',
    backtrack: 'too-slow',
    waitForever: 'too-slow', // The wall-clock limit ends it, which is a multiple of the deadline.
    fillMemory: null, // On a busy machine, the time limit may be reached before the memory limit.
    exitProcess: 'crashed',
    throwLater: 'crashed',
  }
  await Promise.all(
    Object.entries(hostile).flatMap(([name, fault]) => [
      assert.rejects(
        (fault === 'too-slow' ? runWithShortDeadline : run)(name),
        (error) => (fault ? hasFault(fault) : exceedsLimit)(error),
        name,
      ),
      ...Array.from({ length: 5 }, async (_, i) => assert.equal((await echo(`${name} ${i}`)).text, `${name} ${i}`)),
    ]),
  )
})

test('a call that pauses briefly succeeds after its deadline, which limits processor time', async () => {
  assert.equal(await runWithShortDeadline('pause', 400), 'done')
})

test('a session keeps its state, and a looping session ends only the sessions of its thread', async () => {
  const sessions = Array.from({ length: 4 }, () => openParser({ module, name: 'counting', deadlineMs }, 10))
  for (const session of sessions) assert.equal(await session.call('add', Buffer.alloc(5)), 15)
  const [hostile, ...others] = sessions
  await assert.rejects(hostile!.call('spin'), hasFault('too-slow'))
  const sums = await Promise.allSettled(others.map((each) => each.call<number>('add', Buffer.alloc(1))))
  for (const sum of sums)
    if (sum.status === 'fulfilled') assert.equal(sum.value, 16)
    else assert.ok(hasFault('interrupted')(sum.reason))
  assert.equal(
    sums.filter(({ status }) => status === 'fulfilled').length,
    2,
    'two of the four sessions run in the other thread',
  )
  for (const session of sessions) session.close()
  const next = openParser({ module, name: 'counting' }, 1)
  assert.equal(await next.call('add', Buffer.alloc(1)), 2)
  next.close()
  await assert.rejects(next.call('add', Buffer.alloc(1)), hasFault('interrupted'))
})

test('rejects calls beyond the queue limit as busy, and answers the others', async () => {
  const results = await Promise.allSettled(Array.from({ length: 1100 }, (_, i) => echo(String(i))))
  const busy = results.filter((each) => each.status === 'rejected')
  assert.ok(busy.length > 0 && busy.length < 150, String(busy.length))
  assert.ok(busy.every((each) => hasFault('busy')(each.reason)))
})
