// A process of its own that ends the day of a portfolio as the partner's worker does, and says how long it took.

import { sealWith } from '#kit/crypto/seal.ts'
import { connect } from '#kit/db/sql.ts'
import { systemClock } from '#kit/runtime/clock.ts'
import { configFrom } from '#kit/runtime/config.ts'
import { logTo } from '#kit/runtime/log.ts'
import { sendEvent } from '#partner/exchange/send.ts'
import { dayEnd } from '#partner/loan/day-end.ts'
import { settings } from '#partner/settings.ts'
import { ownCpuMs } from './figures.ts'
import { dueDay } from './portfolio.ts'

export interface Ended {
  loans: number
  entries: number
  failed: number
  seconds: number
  /** Processor time of this process for it. */
  cpuMs: number
}

const { DATABASE_URL, LENDLOOM_KEYS } = process.env as Record<'DATABASE_URL' | 'LENDLOOM_KEYS', string>
const nobodyCalls = { bearer: 'nobody-calls-here', keyId: 'none', secret: 'nobody-signs-here' }
const clients = [{ sender: 'LENDLOOM', bearer: 'nobody-calls-here', keys: [nobodyCalls], webhook: nobodyCalls }]
const config = configFrom(settings, {
  PARTNER_DATABASE_URL: DATABASE_URL,
  PARTNER_CLIENTS: JSON.stringify(clients),
  LENDLOOM_KEYS,
})
const db = connect(DATABASE_URL, { connections: 4 })
const ctx = { db, clock: systemClock, log: logTo('day-end', 'warn'), config, seal: sealWith(LENDLOOM_KEYS) }
const cpuBefore = ownCpuMs()
const began = performance.now()
const { loans, entries, failed } = await dayEnd(ctx, dueDay, async (tx, loanCase, loanStatus, at) => {
  const { snapshotVersion } = loanCase
  const data = {
    loan_status: loanStatus,
    snapshot_version: snapshotVersion,
    updated_at: at.toISOString(),
    reason_code: 'INSTALLMENT_OVERDUE',
  }
  await sendEvent({ ...ctx, tx, at }, loanCase, { type: 'LOAN_STATUS_UPDATED', data })
})
const seconds = (performance.now() - began) / 1000
process.send?.({ loans, entries, failed: failed.length, seconds, cpuMs: ownCpuMs() - cpuBefore } satisfies Ended)
await db.close()
