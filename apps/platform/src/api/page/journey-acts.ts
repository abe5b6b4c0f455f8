// The borrower's acts on a journey on the hosted page: profile, offers, steps and bank account.

import { Closed, OneOf, Uuid } from '@lendloom/foundation/schema'
import { checkedPaise } from '@lendloom/lending/money'
import {
  BankAccount,
  EmbedAcceptRequest,
  EmbedDeclineRequest,
  EmbedOpenReply,
  EmbedProfileRequest,
  EmbedSelectRequest,
  EmbedSubmitRequest,
  EmbedWithdrawRequest,
  openableSteps,
  returnableSteps,
} from '@lendloom/wire/hosted/embed-requests'
import { EmbedViewReply } from '@lendloom/wire/hosted/embed-view'
import { refuseAadhaar, refuseHiddenCharacters } from '@lendloom/wire/hosted/refused-text'
import { route } from '#platform/context.ts'
import { embedSession } from '#platform/integrators/access/embed-session.ts'
import { acceptOffer, declineOffer } from '#platform/lending/offer/decide-on-offer.ts'
import { selectOffer } from '#platform/lending/offer/select-offer.ts'
import { withdrawConsent } from '#platform/lending/offer/withdraw-consent.ts'
import { personFrom } from '#platform/lending/profile/details-from-wire.ts'
import { editProfile, readProfile } from '#platform/lending/profile/edit-profile.ts'
import { submitProfile } from '#platform/lending/profile/submit-profile.ts'
import { submitBankAccount } from '#platform/lending/step/bank-account.ts'
import { openStep, returnFromStep } from '#platform/lending/step/open-step.ts'
import type { StepName } from '#platform/lending/step/step.ts'
import { pageViewOf } from './page-view.ts'
import { hostedOrigin, runAct, withLockedJourney } from './run-act.ts'

const section = 'D1 §1'
const reply = { 200: EmbedViewReply }
const OfferParams = Closed({ offerID: Uuid })

export const saveProfileRoute = route({
  method: 'PUT',
  path: '/api/embed/profile',
  section,
  summary: "Save the borrower's draft of the profile",
  auth: embedSession,
  hidden: true,
  body: EmbedProfileRequest,
  reply,
  handle: ({ who, body, at }, ctx) =>
    runAct(ctx, who, { at }, async (tx, journey) => {
      const { person } = await readProfile(tx, ctx, journey)
      const { endUse, ...fields } = body
      const draft = personFrom(fields, person, journey.type, at)
      await editProfile({ ...ctx, tx, at }, journey, { details: draft, change: endUse === undefined ? {} : { endUse } })
    }),
})

export const submitRoute = route({
  method: 'POST',
  path: '/api/embed/profile/submit',
  section,
  summary: 'Send the profile to the lenders, with the required consents',
  auth: embedSession,
  hidden: true,
  body: EmbedSubmitRequest,
  reply,
  handle: ({ who, body, ip, at }, ctx) =>
    runAct(ctx, who, { at }, (tx, journey) =>
      submitProfile({ ...ctx, tx, at }, journey, { consents: body.consents, origin: hostedOrigin(ip) }),
    ),
})

export const selectRoute = route({
  method: 'POST',
  path: '/api/embed/offers/{offerID}/select',
  section: 'D1 §3',
  summary: 'Choose an offer, an amount and a term',
  auth: embedSession,
  hidden: true,
  params: OfferParams,
  body: EmbedSelectRequest,
  reply,
  handle: ({ who, body, params, ip, at }, ctx) =>
    runAct(ctx, who, { at }, (tx, journey) =>
      selectOffer({ ...ctx, tx, at }, journey, params.offerID, {
        amount: checkedPaise(body.amount),
        months: body.tenureMonths,
        branchId: body.branchID ?? null,
        origin: hostedOrigin(ip),
        ...(body.language && { language: body.language }),
        ...(body.pledges && { pledges: body.pledges }),
      }),
    ),
})

export const acceptRoute = route({
  method: 'POST',
  path: '/api/embed/offers/{offerID}/accept',
  section: 'D1 §3',
  summary: 'Accept the final terms and the key facts',
  auth: embedSession,
  hidden: true,
  params: OfferParams,
  body: EmbedAcceptRequest,
  reply,
  handle: ({ who, body, params, ip, at }, ctx) =>
    runAct(ctx, who, { at }, (tx, journey) =>
      acceptOffer({ ...ctx, tx, at }, journey, {
        offerId: params.offerID,
        quote: body.quote,
        consents: body.consents,
        origin: hostedOrigin(ip),
      }),
    ),
})

export const declineRoute = route({
  method: 'POST',
  path: '/api/embed/offers/{offerID}/decline',
  section: 'D1 §3',
  summary: 'Decline the final terms, which ends the journey',
  auth: embedSession,
  hidden: true,
  params: OfferParams,
  body: EmbedDeclineRequest,
  reply,
  handle({ who, body, params, at }, ctx) {
    refuseAadhaar(body)
    return runAct(ctx, who, { at }, (tx, journey) =>
      declineOffer({ ...ctx, tx, at }, journey, params.offerID, body.reason ?? null),
    )
  },
})

export const withdrawRoute = route({
  method: 'POST',
  path: '/api/embed/consents/withdraw',
  section: 'D1 §3',
  summary: 'Withdraw the consent to share the application, which ends the journey',
  auth: embedSession,
  hidden: true,
  body: EmbedWithdrawRequest,
  reply,
  handle: ({ who, ip, at }, ctx) =>
    runAct(ctx, who, { at }, (tx, journey) => withdrawConsent({ ...ctx, tx, at }, journey, hostedOrigin(ip))),
})

const stepsByPath: Record<(typeof openableSteps)[number], StepName> = {
  kyc: 'kyc',
  'bank-mandate': 'bankMandate',
  'e-mandate': 'eMandate',
  'loan-agreement': 'loanAgreement',
}

export const openStepPageRoute = route({
  method: 'POST',
  path: '/api/embed/steps/{step}/open',
  section: 'D1 §3',
  summary: "Go to the lender's page of a step",
  auth: embedSession,
  hidden: true,
  params: Closed({ step: OneOf([...openableSteps]) }),
  reply: { 200: EmbedOpenReply },
  async handle({ who, params, at }, ctx) {
    const { url } = await withLockedJourney(ctx, who, (tx, journey) =>
      openStep({ ...ctx, tx, at }, journey, stepsByPath[params.step]),
    )
    return { url, view: await pageViewOf(ctx, who, null, at) }
  },
})

export const returnFromStepRoute = route({
  method: 'POST',
  path: '/api/embed/steps/{step}/return',
  section: 'FIS12 §19.3, §24',
  summary: "Report that the borrower is back from the lender's page of a step",
  auth: embedSession,
  hidden: true,
  params: Closed({ step: OneOf([...returnableSteps]) }),
  reply,
  handle: ({ who, params, at }, ctx) =>
    runAct(ctx, who, { at }, (tx, journey) => returnFromStep({ ...ctx, tx, at }, journey, stepsByPath[params.step])),
})

export const bankAccountRoute = route({
  method: 'POST',
  path: '/api/embed/steps/bank-mandate',
  section: 'D1 §1',
  summary: 'Send the account for disbursal and instalments',
  auth: embedSession,
  hidden: true,
  body: BankAccount,
  reply,
  handle({ who, body, at }, ctx) {
    refuseAadhaar(body)
    refuseHiddenCharacters(body)
    return runAct(ctx, who, { at }, (tx, journey) => submitBankAccount({ ...ctx, tx, at }, journey, body))
  },
})
