// A separate process that runs the day end of a portfolio as the partner's worker does, and reports its duration.

import { once } from 'node:events'
import { systemClock } from '@lendloom/foundation/clock'
import { configFrom } from '@lendloom/foundation/config'
import { logTo } from '@lendloom/foundation/log'
import { plusDays } from '@lendloom/lending/calendar'
import { rupees } from '@lendloom/lending/money'
import { settings } from '@lendloom/partner/settings'
import { completeDay, dayEnd } from '@lendloom/partner/src/servicing/loan/day-end.ts'
import { reportDayEnd } from '@lendloom/partner/src/work.ts'
import { connect } from '@lendloom/postgres/sql'
import { sealWith } from '@lendloom/seal/seal'
import { ownCpuMs } from './figures.ts'
import { dueDay } from './portfolio.ts'

export interface DayEndReport {
  loans: number
  entries: number
  failed: number
  /** Loans whose asset class changed, and the resulting provision in rupees. */
  classified: number
  provision: string
  seconds: number
  /** Processor time of this process. */
  cpuMs: number
}

const { DATABASE_URL, LENDLOOM_KEYS } = process.env as Record<'DATABASE_URL' | 'LENDLOOM_KEYS', string>
const unusedCredentials = { bearer: 'unused-webhook-bearer', keyId: 'none', secret: 'unused-signing-secret' }
const clients = [
  { sender: 'LENDLOOM', bearer: 'an-unused-bearer', keys: [unusedCredentials], webhook: unusedCredentials },
]
const config = configFrom(settings, {
  PARTNER_DATABASE_URL: DATABASE_URL,
  PARTNER_CLIENTS: JSON.stringify(clients),
  LENDLOOM_KEYS,
})
const db = connect(DATABASE_URL, { connections: 4 })
const ctx = { db, clock: systemClock, log: logTo('day-end', 'warn'), config, seal: sealWith(LENDLOOM_KEYS) }
// The months and invoices of earlier days were recorded at the end of those days.
await completeDay(ctx, plusDays(dueDay, -1))
process.send?.('ready')
await once(process, 'message')
const cpuBefore = ownCpuMs()
const began = performance.now()
const { loans, entries, failed, classified, provisionPaise } = await dayEnd(ctx, dueDay, reportDayEnd(ctx))
const seconds = (performance.now() - began) / 1000
process.send?.({
  loans,
  entries,
  classified,
  provision: rupees(provisionPaise),
  failed: failed.length,
  seconds,
  cpuMs: ownCpuMs() - cpuBefore,
} satisfies DayEndReport)
await db.close()
