// `lendloom webhook listen`: sends the updates of an application to a server on this machine, without a public address.

import { setTimeout as sleep } from 'node:timers/promises'
import { Refusal } from '@lendloom/foundation/refusal'
import { codeOf, messageOf } from '@lendloom/foundation/thrown'
import type { ForwardedUpdate, ForwardResult, NewListener, PulledUpdates } from '@lendloom/wire/console/command-line'
import { codes } from '@lendloom/wire/headless/envelope'
import { statuses } from '@lendloom/wire/hosted/lifecycle-status'
import { CannotRun, command, requireOption, UsageError } from '#cli/command.ts'
import { type ConsoleCaller, consoleOf, EndedSession } from '#cli/console/ask.ts'
import { withIds } from '#cli/console/names.ts'
import { tenantOption, wordIn } from '#cli/console/words.ts'
import { listenSecretOf } from '#cli/contexts.ts'
import { printLine } from '#cli/terminal.ts'

/** Less than the lease of an update, so that it is not sent twice. */
const answerMs = 30_000
/** The pause after a failed call of the platform; it doubles with each further one. */
const firstPauseMs = 1000
const maxPauseMs = 15_000

export const listen = command({
  name: 'webhook listen',
  summary: 'send the updates of an application to a server on this machine, until interrupted',
  usage: '--forward-to <url> --tenant <tenantId> --application <applicationId> [--status <STATUS>…]',
  options: {
    'forward-to': {
      type: 'string',
      value: 'url',
      about: 'where to post updates, such as http://localhost:3000/webhooks',
    },
    tenant: tenantOption,
    application: { type: 'string', value: 'applicationId', about: 'application, by its id or name' },
    status: {
      type: 'string',
      value: 'STATUS',
      about: 'lifecycle status to send; may be repeated (default: all)',
      multiple: true,
    },
  },
  async run(call) {
    const ask = consoleOf(call.env)
    const { options } = await withIds(ask, call, '')
    const forwardTo = addressIn(requireOption(options['forward-to'], 'forward-to'))
    const listener = {
      query: { tenantId: requireOption(options.tenant, 'tenant') },
      body: {
        applicationId: requireOption(options.application, 'application'),
        forwardTo,
        secret: listenSecretOf(call.env),
        statuses: options.status?.map((word) => wordIn(statuses, word, 'status')),
      },
    }
    const say = call.json ? () => {} : printLine
    say(`Secret of the signatures: ${listener.body.secret}`)
    await forwardUntilInterrupted(ask, listener, {
      say,
      show: (shown) => printLine(call.json ? JSON.stringify(shown) : lineOf(shown)),
    })
    return undefined
  },
})

function addressIn(text: string): string {
  const url = URL.parse(text.includes('://') ? text : `http://${text}`)
  if (!url || !['http:', 'https:'].includes(url.protocol))
    throw new UsageError(`--forward-to must be an address such as http://localhost:3000/webhooks, not "${text}"`)
  return url.href
}

interface ListenRequest {
  query: { tenantId: string }
  body: { applicationId: string; forwardTo: string; secret: string; statuses: (string | undefined)[] | undefined }
}

interface Output {
  say(text: string): void
  show(shown: ShownUpdate): void
}

/** What the terminal shows of an update. */
type ShownUpdate = Pick<ForwardedUpdate, 'journeyId' | 'sequence' | 'status' | 'attempt'> &
  Pick<ForwardResult, 'problem' | 'tookMs'> & { at: string; answer: number | null }

/** Forwards updates until a signal arrives. A listener that the platform removed begins again. */
async function forwardUntilInterrupted(ask: ConsoleCaller, listener: ListenRequest, output: Output): Promise<void> {
  const interrupt = new AbortController()
  const stop = () => interrupt.abort()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop)
  let endpointId: string | null = await begin(ask, listener, output)
  let results: ForwardResult[] = []
  let pauseMs = firstPauseMs
  while (!interrupt.signal.aborted) {
    try {
      endpointId ??= await begin(ask, listener, output)
      const updates = await pull(ask, listener, { endpointId, results, signal: interrupt.signal })
      results = await Promise.all(updates.map((each) => forward(each, listener.body.forwardTo, output)))
      pauseMs = firstPauseMs
    } catch (error) {
      if (interrupt.signal.aborted) break
      const isRemoved = endpointId !== null && error instanceof Refusal && error.kind === 'absent'
      if (!isRemoved && !isTemporary(error)) throw error
      if (isRemoved) {
        endpointId = null
        results = []
      }
      output.say(`${messageOf(error)}; the next try is in ${pauseMs / 1000} s`)
      await sleep(pauseMs, null, { signal: interrupt.signal }).catch(() => null)
      pauseMs = Math.min(2 * pauseMs, maxPauseMs)
    }
  }
  if (!endpointId) return
  // The last results are recorded before the listener is removed.
  if (results.length > 0) await pull(ask, listener, { endpointId, results }).catch(() => null)
  await ask('DELETE /webhooks/endpoints/{endpointId}', { params: { endpointId }, query: listener.query }).catch(
    () => null,
  )
}

/** Whether a later call may succeed. */
const isTemporary = (error: unknown): boolean =>
  (error instanceof CannotRun && !(error instanceof EndedSession)) || (error instanceof Refusal && codes[error.kind][2])

/** Registers this command as a listener, and returns its id. */
async function begin(ask: ConsoleCaller, { query, body }: ListenRequest, { say }: Output): Promise<string> {
  const { endpointId, isMasked } = await ask<NewListener>('POST /webhooks/listeners', { query, body })
  if (isMasked)
    say(
      'Personal data is masked, as this is no sandbox. The signature is of the masked body, so both differ from what an endpoint receives.',
    )
  say(`Listening. Updates go to ${body.forwardTo}; Ctrl-C ends it.\n`)
  return endpointId
}

interface Pull {
  endpointId: string
  results: ForwardResult[]
  signal?: AbortSignal
}

/** Reports what became of the last updates, and returns the next ones. */
async function pull(ask: ConsoleCaller, { query }: ListenRequest, { endpointId, results, signal }: Pull) {
  const request = { params: { endpointId }, query, body: { results }, ...(signal && { signal }) }
  return (await ask<PulledUpdates>('POST /webhooks/listeners/{endpointId}/pull', request)).items
}

/** Posts an update to the server, and shows its answer. */
async function forward(update: ForwardedUpdate, forwardTo: string, { show }: Output): Promise<ForwardResult> {
  const { receipt, journeyId, sequence, status, attempt, body } = update
  const began = performance.now()
  const answered = await fetch(forwardTo, {
    method: 'POST',
    redirect: 'manual',
    headers: update.headers.map(({ name, value }): [string, string] => [name, value]),
    body,
    signal: AbortSignal.timeout(answerMs),
  }).then(
    async (response) => {
      await response.body?.cancel().catch(() => null)
      return { answer: response.status, problem: null }
    },
    (error: unknown) => ({ answer: null, problem: problemOf(error) }),
  )
  const tookMs = Math.round(performance.now() - began)
  show({ at: new Date().toISOString(), journeyId, sequence, status, attempt, tookMs, ...answered })
  return { receipt, status: answered.answer, problem: answered.problem, tookMs }
}

function problemOf(error: unknown): string {
  const { cause = error } = error instanceof Error ? error : {}
  return String(codeOf(cause) ?? messageOf(cause)).slice(0, 500)
}

const lineOf = ({ at, journeyId, sequence, status, attempt, answer, problem, tookMs }: ShownUpdate): string => {
  const tries = attempt > 1 ? `  try ${attempt}` : ''
  return `${at.slice(11, 19)}  ${answer ?? problem}  ${status.padEnd(18)}  ${journeyId} #${sequence}  ${tookMs} ms${tries}`
}
