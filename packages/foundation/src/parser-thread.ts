// Runs checks and parsers of untrusted bytes in separate threads; each call has a deadline and a heap limit.
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'

/** Default limit of a call's processor time. A longer call ends with its thread. */
const defaultDeadlineMs = 2000
/** The wall-clock limit as a multiple of the processor time: a busy machine gives a thread only part of a processor. */
const wallClockFactor = 4
/** How long to wait for a thread to report its processor time. */
const reportTimeoutMs = 500
/** The processor time of a session grows by one deadline per this many bytes, so that it can check large recordings. */
const bytesPerDeadline = 16 << 20
/** Time limit for starting a thread and loading its module, also on a busy machine. */
const startTimeoutMs = 60_000
/**
 * The heap limit of a thread, which stops gradual growth. A single allocation far above it makes V8 end the whole
 * process, so every parser must also limit what it collects.
 */
export const resourceLimits = { maxOldGenerationSizeMb: 84, maxYoungGenerationSizeMb: 12 }
/** Memory of the program for which it runs one more thread of each group. */
const bytesPerThread = 1 << 30
const mostThreads = 2

/**
 * The number of threads of each group in a program that may use this many bytes: all threads together fit beside its
 * heap and the bodies of requests (`tests/full/installation/chart.test.ts`).
 */
export const threadsOfGroup = (memoryBytes: number): number =>
  Math.max(1, Math.min(mostThreads, Math.floor(memoryBytes / bytesPerThread) - 1))

/** Zero when the system sets no limit. */
const permittedBytes = process.constrainedMemory() || Infinity
const maxThreads = threadsOfGroup(permittedBytes)
/** Maximum number of waiting calls per thread; more are rejected as `busy`. */
const maxWaiting = 500

/** Why a parser gave no result. All but `busy` and `interrupted` are caused by the bytes. */
export type ParserFault = 'too-slow' | 'too-much-memory' | 'crashed' | 'interrupted' | 'busy'

const faultTexts: Record<ParserFault, string> = {
  'too-slow': 'takes too long to be read',
  'too-much-memory': 'takes too much memory to be read',
  crashed: 'cannot be read',
  interrupted: 'could not be read because another file stopped the parser',
  busy: 'could not be read because too many files are waiting',
}

/** The message completes a sentence that starts with "the file" or "the mail". */
export class ParserFailure extends Error {
  readonly fault: ParserFault

  constructor(fault: ParserFault, cause?: unknown) {
    super(faultTexts[fault], { cause })
    this.name = 'ParserFailure'
    this.fault = fault
  }
}

/** An exported function, by its module and name. It receives bytes as a `Buffer`. */
export interface ParserName {
  module: URL
  name: string
  /** Processor time per call; two seconds by default. */
  deadlineMs?: number
}

/** Runs a function, opens a session with its result, calls a method of the session, or closes the session. */
type ParserCommand = Pick<ParserName, 'module' | 'name'> & {
  session: number
  act: 'run' | 'open' | 'call' | 'close'
  args: unknown[]
}
type SentCommand = Omit<ParserCommand, 'module'> & { module: string }
/** A message to the thread. Its reply has the same `call`. */
export type ParserRequest = { call: number; command: SentCommand }
export type ParserReply = { call: number } & (
  | { cpuAtStart: NodeJS.CpuUsage }
  | { value: unknown; ms: number }
  | { error: Error }
)

interface PendingCommand {
  command: ParserCommand
  limitMs: number
  resolve(value: unknown): void
  reject(error: Error): void
  /** Receives the processor time of the call. */
  recordTime?(ms: number): void
}

interface Thread {
  worker: Worker
  waiting: PendingCommand[]
  current: (PendingCommand & { call: number; timer: NodeJS.Timeout; cpuAtStart?: NodeJS.CpuUsage }) | undefined
  sessions: number
}

/** Sessions have their own threads, so that a mail that crashes its thread does not interrupt an upload. */
const groups = {
  calls: { threads: new Set<Thread>(), max: maxThreads },
  sessions: { threads: new Set<Thread>(), max: maxThreads },
}
type Group = (typeof groups)[keyof typeof groups]
let lastCall = 0
let lastSession = 0

/** Runs a function in a thread. Throws `ParserFailure`, or what the function throws. */
export const runParser = <T>(parser: ParserName, ...args: unknown[]): Promise<T> =>
  new Promise<T>((resolve, reject) => {
    const { deadlineMs: limitMs = defaultDeadlineMs, ...named } = parser
    const command: ParserCommand = { ...named, act: 'run', session: 0, args }
    enqueue(groups.calls, chooseThread(groups.calls), { command, limitMs, resolve, reject })
  })

/** An object in a thread, whose methods are called one after the other. */
export interface ParserSession {
  /** Throws `ParserFailure`, or what the method throws. */
  call<T>(method: string, ...args: unknown[]): Promise<T>
  /** Releases the object. Every session must be closed. */
  close(): void
}

/** Keeps the returned object of a function in a thread, for input that arrives in chunks. */
export function openParser(parser: ParserName, ...args: unknown[]): ParserSession {
  const { deadlineMs = defaultDeadlineMs } = parser
  const session = ++lastSession
  const thread = chooseThread(groups.sessions)
  let spentMs = 0
  let bytes = 0
  let isOpen = true
  thread.sessions++
  const send = <T>(act: ParserCommand['act'], name: string, callArgs: unknown[]): Promise<T> => {
    bytes += callArgs.reduce<number>((sum, each) => sum + (each instanceof Uint8Array ? each.length : 0), 0)
    const limitMs = Math.max(1, deadlineMs * (1 + Math.floor(bytes / bytesPerDeadline)) - spentMs)
    const command: ParserCommand = { module: parser.module, name, act, session, args: callArgs }
    const recordTime = (ms: number): void => {
      spentMs += ms
    }
    return new Promise<T>((resolve, reject) => {
      enqueue(groups.sessions, thread, { command, limitMs: Math.min(limitMs, deadlineMs), resolve, reject, recordTime })
    })
  }
  const opened = send<void>('open', parser.name, args)
  opened.catch(() => {})
  return {
    async call(method, ...callArgs) {
      await opened
      if (!isOpen) throw new ParserFailure('interrupted')
      return send('call', method, callArgs)
    },
    close() {
      if (!isOpen) return
      isOpen = false
      thread.sessions--
      send('close', parser.name, []).catch(() => {})
    },
  }
}

/** Returns an idle thread, a new one below the limit, or the least busy one. */
function chooseThread(group: Group): Thread {
  const load = ({ waiting, current, sessions }: Thread): number => waiting.length + (current ? 1 : 0) + sessions
  const [leastBusy] = [...group.threads].sort((a, b) => load(a) - load(b))
  return leastBusy && (load(leastBusy) === 0 || group.threads.size >= group.max) ? leastBusy : startThread(group)
}

function startThread(group: Group): Thread {
  // The thread gets no environment variables: they hold secrets, and no parser needs them.
  const worker = new Worker(new URL('./parser-thread-main.ts', import.meta.url), { resourceLimits, env: {} })
  const thread: Thread = { worker, waiting: [], current: undefined, sessions: 0 }
  worker.unref()
  worker.on('message', (reply: ParserReply) => handleReply(group, thread, reply))
  worker.on('error', (error: Error & { code?: string }) =>
    endThread(group, thread, error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'too-much-memory' : 'crashed', error),
  )
  worker.on('exit', (code) => endThread(group, thread, 'crashed', new Error(`the thread exited with ${code}`)))
  group.threads.add(thread)
  return thread
}

function enqueue(group: Group, thread: Thread, pending: PendingCommand): void {
  const fault = !group.threads.has(thread) ? 'interrupted' : thread.waiting.length >= maxWaiting ? 'busy' : null
  if (fault === null) thread.waiting.push(pending)
  else pending.reject(new ParserFailure(fault))
  if (!thread.current) runNext(group, thread)
}

function runNext(group: Group, thread: Thread): void {
  const pending = thread.waiting.shift()
  if (!pending) {
    thread.worker.unref()
    return
  }
  const call = ++lastCall
  const { module, args, ...command } = pending.command
  // `postMessage` clones the whole memory behind a view, so only the bytes are copied, and the copy is transferred.
  const transferList: ArrayBuffer[] = []
  const sentArgs = args.map((each) => {
    if (!(each instanceof Uint8Array)) return each
    const copy = new Uint8Array(each)
    transferList.push(copy.buffer)
    return copy
  })
  const request: ParserRequest = { call, command: { ...command, module: module.href, args: sentArgs } }
  thread.worker.ref()
  thread.current = { ...pending, call, timer: startTimer(group, thread, startTimeoutMs) }
  thread.worker.postMessage(request, transferList)
}

/**
 * Ends the thread when the call has used its processor time or reached its wall-clock limit, unless the reply arrived
 * while this process itself was busy.
 */
function startTimer(group: Group, thread: Thread, ms: number, maxMs = ms): NodeJS.Timeout {
  const startedAt = performance.now()
  return setTimeout(async () => {
    const overdueCall = thread.current
    const leftMs = Math.min(await unusedMs(thread, maxMs > ms), startedAt + maxMs - performance.now())
    setImmediate(() => {
      if (overdueCall !== thread.current) return
      if (overdueCall && leftMs > 0)
        overdueCall.timer = startTimer(group, thread, leftMs, startedAt + maxMs - performance.now())
      else endThread(group, thread, 'too-slow')
    })
  }, ms)
}

/**
 * The remaining processor time of the call; Infinity when the thread does not report its use, for example while V8 is
 * inside one long native operation.
 */
async function unusedMs({ worker, current }: Thread, isExtendable: boolean): Promise<number> {
  if (!current?.cpuAtStart || !isExtendable) return 0
  const abort = new AbortController()
  const timeout = sleep(reportTimeoutMs, undefined, { signal: abort.signal }).catch(() => undefined)
  const used = await Promise.race([worker.cpuUsage(current.cpuAtStart).catch(() => undefined), timeout])
  abort.abort()
  return used ? current.limitMs - (used.user + used.system) / 1000 : Number.POSITIVE_INFINITY
}

function handleReply(group: Group, thread: Thread, reply: ParserReply): void {
  const { current } = thread
  if (current?.call !== reply.call) return
  clearTimeout(current.timer)
  if ('cpuAtStart' in reply) {
    current.cpuAtStart = reply.cpuAtStart
    current.timer = startTimer(group, thread, current.limitMs, wallClockFactor * current.limitMs)
    return
  }
  thread.current = undefined
  if ('error' in reply) current.reject(reply.error)
  else {
    current.recordTime?.(reply.ms)
    current.resolve(reply.value)
  }
  runNext(group, thread)
}

/** Fails the running call and the calls of sessions, whose state is lost; other queued calls run in another thread. */
function endThread(group: Group, thread: Thread, fault: ParserFault, cause?: unknown): void {
  if (!group.threads.delete(thread)) return
  const { worker, current, waiting } = thread
  thread.current = undefined
  if (current) clearTimeout(current.timer)
  worker.terminate().catch(() => {})
  current?.reject(new ParserFailure(fault, cause))
  for (const pending of waiting.splice(0))
    if (pending.command.act === 'run') enqueue(group, chooseThread(group), pending)
    else pending.reject(new ParserFailure('interrupted'))
}
