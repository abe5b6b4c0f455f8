// The order of the messages of a loan in dialect 2.0.3, as a table (FIS12 §8.1, §9.1, §19.3).
import type { Table } from '#kit/runtime/machine.ts'
import { type Move, noMoves, type Status } from '#sandbox/lender/core/conversation.ts'

export const moves: Table<Status, Move> = {
  ...noMoves,
  SEARCHED: { profile: 'PROFILED' },
  PROFILED: { profile: 'PROFILED', ask: 'CONSENTING', offer: 'OFFERED', refuse: 'REFUSED' },
  CONSENTING: { ask: 'CONSENTING', offer: 'OFFERED', refuse: 'REFUSED' },
  OFFERED: { amount: 'CHOSEN', lapse: 'EXPIRED' },
  CHOSEN: { amount: 'CHOSEN', quote: 'QUOTED', refuse: 'REFUSED', lapse: 'EXPIRED' },
  QUOTED: { amount: 'CHOSEN', identify: 'IDENTIFIED', book: 'BOOKED', reject: 'REJECTED', lapse: 'EXPIRED' },
  BOOKED: { visit: 'VISITED', reject: 'REJECTED', lapse: 'EXPIRED' },
  VISITED: { sanction: 'SANCTIONED' },
  // Two more ways, where the lender sees to account and mandate itself: only the agreement is left, or nothing is (FIS12 §19.3).
  IDENTIFIED: { initiate: 'INITIATED', draft: 'AGREEING', conclude: 'READY', lapse: 'EXPIRED' },
  INITIATED: { account: 'ACCOUNTED' },
  ACCOUNTED: { account: 'ACCOUNTED', verify: 'MANDATING', disprove: 'INITIATED' },
  MANDATING: { mandate: 'MANDATED', reject: 'REJECTED' },
  MANDATED: { draft: 'AGREEING' },
  AGREEING: { sign: 'SIGNED', reject: 'REJECTED' },
  SIGNED: { sanction: 'SANCTIONED' },
  SANCTIONED: { disburse: 'DISBURSED' },
  READY: { sanction: 'SANCTIONED' },
}
