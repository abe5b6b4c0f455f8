// A journey from the profile to the disbursal with every kind of timeline entry, created through the modules' own functions.

import { secondsAfter } from '@lendloom/foundation/clock'
import { insertGrievance } from '@lendloom/platform/src/complaints/grievance/store.ts'
import { recordCallback, recordInternalEvent } from '@lendloom/platform/src/lenders/network/inbound/store.ts'
import {
  archiveIncoming,
  archiveOutgoing,
  recordOutcome,
} from '@lendloom/platform/src/lenders/network/messages/store.ts'
import {
  changeConversation,
  insertConversation,
  readConversation,
} from '@lendloom/platform/src/lenders/network/store.ts'
import { sendEvent } from '@lendloom/platform/src/lenders/partner/deliver-events.ts'
import { changeCase, insertDocument, storeCheck, storeReport } from '@lendloom/platform/src/lenders/partner/store.ts'
import { type BorrowerDetails, detailsContext } from '@lendloom/platform/src/lending/borrower/borrower.ts'
import { digestsOf } from '@lendloom/platform/src/lending/borrower/digests.ts'
import { insertConsent, insertWithdrawals } from '@lendloom/platform/src/lending/borrower/store.ts'
import { advance } from '@lendloom/platform/src/lending/journey/advance.ts'
import { lockJourney } from '@lendloom/platform/src/lending/journey/store.ts'
import { updateProfile } from '@lendloom/platform/src/lending/profile/store.ts'
import { insertServicing } from '@lendloom/platform/src/lending/servicing/store.ts'
import { enqueue } from '@lendloom/queue/queue'
import { bucketOf, uuidv4, uuidv7 } from '@lendloom/seal/id'
import { exampleData } from '@lendloom/wire/exchange/example/event'
import type { LenderExchange } from './lender-exchange.ts'
import type { TestPlatform } from './platform.ts'
import { caseAt } from './platform-case.ts'

const person: BorrowerDetails = {
  personal: {
    mobile: '9876501234',
    pan: 'ABCPE4321F',
    panName: 'Asha Vaidya Kulkarni',
    dob: '1992-02-29',
    personalEmail: 'asha.k@mail.example',
  },
  work: { employmentType: 'selfEmployed', officialEmail: 'asha@works.example', companyName: 'Asha Stores' },
  address: { addressL1: '7 Fort Road', city: 'Mumbai', state: 'Maharashtra', pincode: '400001' },
  bank: {
    accountHolderName: 'Asha Kulkarni',
    accountNumber: '50100123456789',
    ifsc: 'HDFC0000001',
    accountType: 'saving',
  },
  gold: null,
}

/** Personal data that the console must mask by default. */
export const personalTexts = [
  '9876501234',
  'ABCPE4321F',
  'Vaidya',
  'asha.k@',
  'asha@works',
  'Fort Road',
  '50100123456789',
]

export async function fullJourney(platform: TestPlatform, lender: LenderExchange) {
  const { ctx } = platform
  const loanCase = await caseAt(platform, 'ACCEPTED', { bankReference: 'UTR-OUT-77' })
  const { tenantId, journeyId, ids } = loanCase
  const journeyKey = { tenantId, journeyId }
  const at = ctx.clock()
  const later = (seconds: number) => secondsAfter(at, seconds)
  /** A borrower's ids encode the bucket of the borrower's rows. */
  const newId = () => uuidv7(at.getTime(), bucketOf(journeyId))
  const anyId = () => uuidv4(bucketOf(journeyId))
  const conversationId = newId()
  const grievanceId = newId()
  const operationId = newId()
  const messageId = anyId()
  const [{ lenderId } = { lenderId: '' }] = await ctx.db<{ lenderId: string }>`
    select lender_id from offer where tenant_id = ${tenantId} and journey_id = ${journeyId}`
  await ctx.db.tx(async (tx) => {
    const transaction = { ...ctx, tx, at }
    const journey = (await lockJourney(tx, tenantId, journeyId))!
    const profileSealed = ctx.seal.json(person, detailsContext(tenantId, journeyId))
    await updateProfile(tx, { ...journeyKey, profileSealed, ...digestsOf(ctx, person), updatedAt: at })
    const consent = { ...journeyKey, consentId: newId(), purpose: 'profile', textVersion: '2026-11-01', language: 'en' }
    await insertConsent(tx, {
      ...consent,
      channel: 'hosted',
      ipSealed: null,
      quoteId: null,
      termsDigest: null,
      givenAt: later(1),
    })
    await insertConversation(tx, {
      ...journeyKey,
      conversationId,
      lenderId,
      bppId: 'bank.example',
      bppUri: 'https://bank.example/ondc',
      providerId: 'p',
      itemId: 'i',
      stage: 'SELECTED',
      formId: null,
      formUrlSealed: null,
      formHeading: null,
      fulfillmentId: null,
      categories: null,
      secondItemId: null,
      profileFormId: null,
      profileFormUrlSealed: null,
      lastMessageAt: at,
      createdAt: at,
      updatedAt: at,
    } as never)
    const conversation = (await readConversation(tx, tenantId, journeyId, conversationId))!
    await changeConversation(tx, conversation, { orderId: 'ORDER-4711' }, at)
    const sentKey = newId()
    const messageIds = { ...journeyKey, conversationId, party: 'bank.example', messageId }
    const body = Buffer.from(
      JSON.stringify({
        context: { action: 'select' },
        message: { person: { name: 'Asha Vaidya' }, contact: { phone: person.personal.mobile } },
      }),
    )
    await archiveOutgoing(tx, ctx.seal, {
      ...messageIds,
      messageKey: sentKey,
      action: 'select',
      body,
      at: later(2),
      url: 'https://bank.example/ondc/select',
      expiresAt: later(32),
    })
    await recordOutcome(
      tx,
      ctx.seal,
      { ...journeyKey, messageKey: sentKey },
      { outcome: 'ACK', answer: { status: 200, body: '{}' } },
    )
    const messageKey = newId()
    await archiveIncoming(tx, ctx.seal, {
      ...messageIds,
      messageKey,
      action: 'on_select',
      body,
      at: later(3),
      headers: { authorization: 'Signature keyId="x"' },
      outcome: 'ACK',
    })
    await recordCallback(tx, {
      ...journeyKey,
      conversationId,
      messageKey,
      type: 'on_select',
      key: `c:${messageKey}`,
      late: false,
      ignoredBecause: 'out of sequence',
      at: later(3),
    })
    await recordInternalEvent(
      { ...transaction, at: later(4) },
      journey,
      { type: 'search_closed' },
      { conversationId: null, key: 'closed' },
    )
    const check = { tenantId, caseRef: ids.caseRef, kind: 'kyc' as const, attempt: 1 }
    await storeCheck(tx, {
      ...check,
      adapter: 'lendloom',
      provider: 'P',
      providerReference: 'ref-1',
      urlSealed: Buffer.from('x'),
      status: 'APPROVED',
      verified: true,
      resultSealed: null,
      lenderReview: null,
      lenderReviewedAt: null,
      providerUpdatedAt: at,
      createdAt: later(5),
      updatedAt: later(6),
    })
    for (const [seconds, isApplied] of [
      [6, true],
      [7, false],
    ] as const)
      await storeReport(tx, { ...check, status: 'APPROVED', providerEventId: 'evt-1', isApplied, at: later(seconds) })
    await insertDocument(tx, {
      tenantId,
      caseRef: ids.caseRef,
      documentReferenceId: newId(),
      requestId: anyId(),
      documentType: 'PAN',
      fileName: 'pan.pdf',
      contentType: 'application/pdf',
      providerReference: null,
      bytesSealed: null,
      sourceSealed: null,
      state: 'WAITING',
      documentId: null,
      refusedBecause: null,
      createdAt: later(8),
      storedAt: null,
    } as never)
    const stored = await loanCase.loanCase()
    await sendEvent({ ...transaction, at: later(9) }, stored, {
      type: 'KYC_UPDATED',
      data: exampleData('KYC_UPDATED'),
    } as never)
    await advance({ ...transaction, at: later(10) }, journey, 'disbursed')
    await changeCase(tx, stored, { stage: 'DISBURSED' }, later(10))
    await insertServicing(tx, {
      ...journeyKey,
      operationId,
      kind: 'MISSED_EMI_PAYMENT',
      status: 'REQUESTED',
      requestedPaise: null,
      amountPaise: 100_00n,
      paidPaise: null,
      paymentId: null,
      url: null,
      urlSealed: null,
      transactionId: 'UTR-IN-88',
      reason: null,
      asks: 1,
      requestedAt: later(11),
      updatedAt: later(11),
    } as never)
    await insertGrievance(tx, ctx.seal, {
      ...journeyKey,
      grievanceId,
      conversationId,
      topic: 'CHARGES',
      category: 'PAYMENT',
      subCategory: 'PMT01',
      status: 'OPEN',
      issueType: 'ISSUE',
      rating: null,
      resolutionAction: null,
      refundPaise: null,
      sinceAt: later(12),
      responseDueAt: later(99),
      resolutionDueAt: later(999),
      lateAt: null,
      escalationOfferedAt: null,
      requestId: 'r',
      refusedCode: null,
      createdAt: later(12),
      updatedAt: later(12),
      detail: {
        complainant: { name: 'Asha Vaidya', phone: person.personal.mobile, email: null },
        text: `Call me: ${person.personal.mobile}`,
      },
    } as never)
    await insertWithdrawals(tx, { ...journeyKey, channel: 'hosted', ipSealed: null, withdrawnAt: later(13) })
    await enqueue(tx, { tenantId, kind: 'follow-up', payload: { journeyId }, dueAt: later(3600) })
  })
  const event = lender.event('KYC_REVIEW_DECIDED', ids, 1, exampleData('KYC_REVIEW_DECIDED') as never)
  const posted = await lender.post(platform.url, event)
  if (posted.status !== 202) throw new Error(`the event was not accepted: ${JSON.stringify(posted.body)}`)
  return { ...loanCase, conversationId, grievanceId, operationId, receivedEventId: event.event_id }
}
