// Notices of debits to borrowers, and the pauses of a borrower's UPI mandate.

import { Refusal } from '@lendloom/foundation/refusal'
import { Closed, OneOf, Type } from '@lendloom/foundation/schema'
import { answer } from '@lendloom/http/server'
import { BankError, BorrowerMandate, DebitNotice, DebitNoticeRequest, MandateNumber } from '@lendloom/wire/bank/bank'
import { paiseOf } from '@lendloom/wire/exchange/fields'
import { bankRoute, openRoute } from './bank-route.ts'
import { bankRailOf } from './debit-rail-rules.ts'
import { findMandate, findNotice, storeMandate, storeNotice } from './store.ts'

/** A repeated notice keeps its time; another amount is a new notice. */
export const sendNotice = bankRoute({
  method: 'POST',
  path: '/bank/debit-notices',
  summary: 'Sends the borrower a notice of a debit; idempotent by mandate, day and amount',
  body: DebitNoticeRequest,
  reply: { 200: DebitNotice, 400: BankError },
  async handle({ body, at }, { db }) {
    const { umrn, collection_date: collectionOn } = body
    const { needsNotice, maxPaise, faults } = bankRailOf(umrn)
    if (!needsNotice) throw new Refusal('invalid', 'umrn is no UPI mandate')
    const amountPaise = paiseOf(body.amount)
    const mandate = await findMandate(db, umrn)
    const refuse = (code: string) => answer(200, { status: 'REFUSED', reason_code: code, at: at.toISOString() })
    if (mandate?.status === 'CANCELLED') return refuse(faults.cancelled)
    if (mandate?.status === 'PAUSED') return refuse(faults.paused)
    if (amountPaise > maxPaise || amountPaise > (mandate?.maximumPaise ?? maxPaise)) return refuse(faults.aboveLimit)
    await db.tx((tx) => storeNotice(tx, { umrn, collectionOn, amountPaise, sentAt: at }))
    const sentAt = (await findNotice(db, umrn, collectionOn))?.sentAt ?? at
    return answer(200, { status: 'SENT', reason_code: null, at: sentAt.toISOString() })
  },
})

const statuses = { pause: 'PAUSED', resume: 'ACTIVE' } as const

export const pauseMandate = openRoute({
  method: 'POST',
  path: '/bank/borrower-mandates/{umrn}/{act}',
  summary: 'A borrower pauses or resumes a mandate in a UPI app',
  params: Type.Object({ umrn: MandateNumber, act: OneOf(['pause', 'resume']) }),
  body: Closed({}),
  reply: { 200: BorrowerMandate, 404: BankError, 409: BankError },
  async handle({ params: { umrn, act }, at }, { db }) {
    const mandate = await findMandate(db, umrn)
    if (!mandate) throw new Refusal('absent', 'the bank has no such mandate on file')
    if (!bankRailOf(umrn).canPause) throw new Refusal('wrong-state', 'only a UPI mandate can be paused')
    if (mandate.status === 'CANCELLED') throw new Refusal('wrong-state', 'the mandate is cancelled')
    await storeMandate(db, { ...mandate, status: statuses[act], updatedAt: at })
    return answer(200, { umrn, status: statuses[act] })
  },
})
