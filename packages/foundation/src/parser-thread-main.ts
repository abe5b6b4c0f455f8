// The main module of a parser thread: runs the function that a request names, reports its start, and replies.

import { parentPort } from 'node:worker_threads'
import type { ParserReply, ParserRequest } from './parser-thread.ts'
import { isObject } from './record.ts'
import { required } from './required.ts'

const port = required(parentPort, 'the thread that this file runs in')
const sessions = new Map<number, unknown>()
const reply = (message: ParserReply): void => port.postMessage(message)

const msOf = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1000

async function handleRequest({ call, command }: ParserRequest): Promise<void> {
  const { session, act, module, name } = command
  const args = command.args.map((each) => (each instanceof Uint8Array ? Buffer.from(each.buffer) : each))
  const target: unknown = act === 'call' ? sessions.get(session) : await import(module)
  const method = isObject(target) ? target[name] : undefined
  if (typeof method !== 'function') throw new Error(`${module} has no ${name}`)
  const cpuAtStart = process.threadCpuUsage()
  reply({ call, cpuAtStart })
  const value: unknown = act === 'close' ? sessions.delete(session) : await method.apply(target, args)
  if (act === 'open') sessions.set(session, value)
  reply({ call, value: act === 'open' ? undefined : value, ms: msOf(process.threadCpuUsage(cpuAtStart)) })
}

port.on('message', (request: ParserRequest) => {
  handleRequest(request).catch((thrown) => {
    const error = thrown instanceof Error ? thrown : new Error(String(thrown))
    reply({ call: request.call, error })
  })
})
