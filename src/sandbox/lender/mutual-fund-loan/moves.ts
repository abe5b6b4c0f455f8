// The order of the messages of a loan against mutual funds, as a table (FIS12 §10.2).
import type { Table } from '#kit/runtime/machine.ts'
import { type Move, noMoves, type Status } from '#sandbox/lender/core/conversation.ts'

/** A loan against mutual funds has its form in the search, its account in the first `init`, and ends its pages with a last one. */
export const moves: Table<Status, Move> = {
  ...noMoves,
  SEARCHED: { ask: 'CONSENTING', offer: 'OFFERED', refuse: 'REFUSED' },
  CONSENTING: { ask: 'CONSENTING', offer: 'OFFERED', refuse: 'REFUSED' },
  OFFERED: { ask: 'CONSENTING', offer: 'OFFERED', quote: 'QUOTED', refuse: 'REFUSED', lapse: 'EXPIRED' },
  QUOTED: { quote: 'QUOTED', initiate: 'INITIATED', refuse: 'REFUSED', lapse: 'EXPIRED' },
  INITIATED: { identify: 'IDENTIFIED', finish: 'SIGNED', reject: 'REJECTED', lapse: 'EXPIRED' },
  IDENTIFIED: { pledge: 'PLEDGING', lapse: 'EXPIRED' },
  PLEDGING: { mark: 'PLEDGED', reject: 'REJECTED' },
  PLEDGED: { verify: 'MANDATING' },
  MANDATING: { mandate: 'MANDATED', reject: 'REJECTED' },
  MANDATED: { draft: 'AGREEING' },
  AGREEING: { sign: 'SIGNED', reject: 'REJECTED' },
  SIGNED: { conclude: 'READY' },
  READY: { sanction: 'SANCTIONED' },
  SANCTIONED: { disburse: 'DISBURSED' },
}
