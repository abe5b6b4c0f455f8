// The network's collector: takes the messages that participants report, and refuses personal data (FIS12 §23).

import { fieldsOf } from '@lendloom/foundation/record'
import type { Refusal } from '@lendloom/foundation/refusal'
import { readJson } from '@lendloom/http/body'
import { type Answer, type Api, type Auth, answer, type Route } from '@lendloom/http/server'
import { requireBearer } from '#sandbox/core/bearer.ts'
import type { Context } from '#sandbox/core/context.ts'
import { judgeReport } from './judge-report.ts'
import { storeReport } from './store.ts'

export type CollectorContext = Pick<Context, 'db'> & { collector: { token: string } }

const participant: Auth<CollectorContext, null> = {
  scheme: null,
  check: (arrival, { collector }) => requireBearer(arrival, collector.token),
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value.slice(0, 128) : '')

const push: Route<CollectorContext, null> = {
  method: 'POST',
  path: '/observability/v1/api/push-txn-logs',
  section: 'FIS12 §23',
  summary: 'Takes one message of a participant, or the answer to it',
  auth: participant,
  accepts: 'raw',
  maxBytes: 4 << 20,
  async handle({ raw, at }, { db }) {
    const report = readJson(raw)
    const { type, data } = fieldsOf(report)
    const { message_id, bpp_id, transaction_id } = fieldsOf(fieldsOf(data).context)
    const { faults: errors, extraFields } = judgeReport(report)
    const [first] = errors
    await storeReport(db, {
      messageId: textOf(message_id),
      type: textOf(type),
      bppId: textOf(bpp_id),
      receivedAt: at,
      transactionId: textOf(transaction_id),
      fault: first ? `${first.path} ${first.message}` : null,
    })
    if (first) return answer(400, { errors })
    if (extraFields.length === 0) return { message: 'Successful' }
    const warnings = extraFields.map((name) => ({
      code: 2001,
      type: 'EXTRA_FIELD',
      message: 'is not part of the form',
      path: `$.${name}`,
    }))
    return { message: 'Successful', warnings }
  },
}

function refuse(refusal: Refusal | 'bug'): Answer {
  if (refusal === 'bug') return answer(500, { message: 'an internal error' })
  return answer(refusal.kind === 'bad-credential' ? 401 : 400, { message: refusal.message })
}

export const collectorApi: Api<CollectorContext> = { prefix: '/observability', routes: [push], refuse }
