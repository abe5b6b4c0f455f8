// Applies events for a benchmark. Each event updates a row of its case; an event out of order fails.

import { inboxWorker } from '@lendloom/event-log/inbox'
import { systemClock } from '@lendloom/foundation/clock'
import { logTo } from '@lendloom/foundation/log'
import { isDistributed } from '@lendloom/postgres/citus'
import { connect } from '@lendloom/postgres/sql'
import { sealWith } from '@lendloom/seal/seal'

const db = connect(process.env.DATABASE_URL!, {
  connections: 12,
  pooler: process.env.DATABASE_POOLER === 'transaction' ? 'transaction' : 'none',
})
db.isDistributed = await isDistributed(db)
inboxWorker({
  db,
  seal: sealWith(process.env.LENDLOOM_KEYS!),
  clock: systemClock,
  log: logTo('worker', 'info'),
  alert() {},
  async reportFailure() {},
  async apply(tx, { partitionKey: caseRef, entityVersion }) {
    const [row] = await tx`
      insert into bench_case (case_ref, version, effects) values (${caseRef}, ${entityVersion}, 1)
      on conflict (case_ref) do update set version = ${entityVersion}, effects = bench_case.effects + 1
      where bench_case.version = ${entityVersion} - 1
      returning 1`
    if (!row) throw new Error(`version ${entityVersion} of ${caseRef} came out of order`)
  },
})
process.send?.('ready')
for (const event of ['SIGTERM', 'disconnect']) process.once(event, () => process.exit())
