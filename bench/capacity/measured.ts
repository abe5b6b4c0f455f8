// The measured costs that the capacity model multiplies, and results of other benchmarks that check the model.
import data from './measured.json' with { type: 'json' }
import type { Point } from './points.ts'
import type { Kind, Spent } from './spent.ts'

/** The file that `npm run bench -- cost --json bench/capacity/measured.json` writes. */
export interface Measured {
  on: string
  machine: string
  /** CPU of one write of the smallest server in the same run, in microseconds; shows the speed of the machine. */
  minimalWriteUs: number
  /** Number of measured items of each kind. */
  counts: Record<Kind, number>
  /** Cost of one idle second of an installation. */
  idleSecond: Spent
  /** Cost of one item of each kind. */
  costs: Record<Kind, Spent>
}

export const measured: Measured = data

const quiet = 'on 2026-11-28, on a quiet machine'

/** A session and the delivery of its update are separate benchmarks. CPU is program + PostgreSQL of both. */
export const points: Point[] = [
  {
    what: 'a session with its update, 8 clients',
    command: `npm run bench: sessions and the backlog of deliver, ${quiet}`,
    cpuUs: 343 + 165 + 147 + 101,
    minimalWriteUs: (112 + 110) / 2,
    perSecond: 1 / (1 / 2505 + 1 / 5155),
    kind: 'session',
    parts: ['platformApi', 'platformWorker', 'platformDatabase'],
    tolerance: 2.5,
  },
  {
    what: 'a session with its update, 32 clients',
    command: `npm run bench: sessions and the backlog of deliver, ${quiet}`,
    cpuUs: 280 + 109 + 147 + 101,
    minimalWriteUs: (112 + 110) / 2,
    perSecond: 1 / (1 / 3621 + 1 / 5155),
    kind: 'session',
    parts: ['platformApi', 'platformWorker', 'platformDatabase'],
    tolerance: 2.5,
  },
  {
    what: 'delivery of an update from a backlog, worker only',
    command: `npm run bench: deliver, ${quiet}`,
    cpuUs: 147,
    minimalWriteUs: 110,
    perSecond: 5155,
    kind: 'session',
    parts: ['platformWorker'],
    tolerance: 2.5,
  },
  {
    what: 'an event accepted and applied, with an effect of one row',
    command: `npm run bench: exchange, ${quiet}`,
    cpuUs: 227 + 129,
    minimalWriteUs: 120,
    perSecond: 4743,
    kind: 'event',
    parts: ['partnerApi', 'partnerWorker', 'partnerDatabase'],
    // The model's event changes more tables, so its prediction is higher.
    tolerance: 6,
  },
]
