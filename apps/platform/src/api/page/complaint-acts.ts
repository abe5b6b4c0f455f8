// The borrower's acts on complaints on the hosted page, also after the journey has ended (D3 §1).

import { invalid } from '@lendloom/foundation/refusal'
import { Closed, Uuid } from '@lendloom/foundation/schema'
import {
  EmbedComplaintJudgement,
  EmbedComplaintReply,
  EmbedComplaintRequest,
  EmbedComplaintsReply,
  EmbedComplaintWithdrawal,
  EmbedComplaintWords,
} from '@lendloom/wire/hosted/embed-complaint'
import { addBorrowerMessage, judgeResolution, withdrawComplaint } from '#platform/complaints/complaint/borrower-acts.ts'
import type { ActContext } from '#platform/complaints/complaint/complaint-context.ts'
import { acceptsFiles, checkFiles, storeComplaintFiles } from '#platform/complaints/complaint/complaint-files.ts'
import { validateComplaintText } from '#platform/complaints/complaint/incoming-text.ts'
import { openComplaint } from '#platform/complaints/complaint/open-complaint.ts'
import { type LockedComplaint, noSuchComplaint, requireLockedComplaint } from '#platform/complaints/complaint/thread.ts'
import { type Context, route } from '#platform/context.ts'
import { embedSession, type SessionBorrower } from '#platform/integrators/access/embed-session.ts'
import type { Journey } from '#platform/lending/journey/journey.ts'
import { updateJourney } from '#platform/lending/journey/store.ts'
import { complaintsOf } from './complaints-view.ts'
import { pageViewOf } from './page-view.ts'
import { withLockedJourney } from './run-act.ts'

const common = { section: 'D3 §1', auth: embedSession, hidden: true } as const
const path = '/api/embed/complaints'
const params = Closed({ complaintID: Uuid })
const reply = { 200: EmbedComplaintReply }
/** A further message may be as short as "no"; a new complaint needs more. */
const minMessageLength = 2

/** Runs an act under the lock of the journey, which may have ended, and records the borrower's activity. */
async function runAct(
  ctx: Context,
  who: SessionBorrower,
  at: Date,
  act: (actContext: ActContext, journey: Journey) => Promise<unknown>,
) {
  await withLockedJourney(
    ctx,
    who,
    async (tx, journey) => {
      await act({ ...ctx, tx, at }, journey)
      await updateJourney(tx, journey, { lastBorrowerActAt: at }, at)
    },
    { isAllowedAfterEnd: true },
  )
  return { view: await pageViewOf(ctx, who, null, at), complaints: await complaintsOf(ctx, who, at) }
}

/** Locks a complaint of this journey, or of an earlier one of the borrower; throws `absent` for any other. */
async function lockOwnComplaint(
  actContext: ActContext,
  journey: Journey,
  complaintId: string,
): Promise<LockedComplaint> {
  const locked = await requireLockedComplaint(actContext, { tenantId: journey.tenantId, complaintId })
  if (!locked.journey || !isOfBorrower(locked.journey, journey)) throw noSuchComplaint()
  return locked
}

const isOfBorrower = (earlier: Journey, { journeyId, applicationId, borrowerId, type }: Journey): boolean =>
  earlier.journeyId === journeyId ||
  (earlier.journeyId < journeyId &&
    earlier.applicationId === applicationId &&
    earlier.borrowerId === borrowerId &&
    earlier.type === type)

const list = route({
  ...common,
  method: 'GET',
  path,
  summary: "List the borrower's complaints, with answers",
  reply: { 200: EmbedComplaintsReply },
  handle: async ({ who, at }, ctx) => ({ complaints: await complaintsOf(ctx, who, at) }),
})

const open = route({
  ...common,
  method: 'POST',
  path,
  summary: 'Open a complaint',
  body: EmbedComplaintRequest,
  reply,
  ...acceptsFiles,
  async handle({ who, body, form, at }, ctx) {
    const { category, language, partPayment } = body
    if (partPayment && category !== 'PART_PAYMENT')
      throw invalid({ path: 'partPayment', message: 'is allowed only with the category PART_PAYMENT' })
    const text = validateComplaintText(body.text)
    const files = await checkFiles(ctx, form)
    return runAct(ctx, who, at, async (actContext, journey) => {
      const { tenantId } = journey
      const attachments = await storeComplaintFiles(actContext, tenantId, files)
      const details = { category, text, language, attachments, journey, ...(partPayment && { partPayment }) }
      return openComplaint(actContext, { tenantId, origin: 'PAGE', ...details })
    })
  },
})

const add = route({
  ...common,
  method: 'POST',
  path: `${path}/{complaintID}/words`,
  summary: 'Add text and files to a complaint',
  params,
  body: EmbedComplaintWords,
  reply,
  ...acceptsFiles,
  async handle({ who, params, body, form, headers, at }, ctx) {
    const text = validateComplaintText(body.text, 'text', minMessageLength)
    const files = await checkFiles(ctx, form)
    const key = headers['idempotency-key']
    return runAct(ctx, who, at, async (actContext, journey) => {
      const lockedComplaint = await lockOwnComplaint(actContext, journey, params.complaintID)
      const attachments = await storeComplaintFiles(actContext, journey.tenantId, files)
      const source = typeof key === 'string' ? { sourceKey: `page:${key}` } : {}
      return addBorrowerMessage(actContext, lockedComplaint, { text, attachments, source })
    })
  },
})

const judge = route({
  ...common,
  method: 'POST',
  path: `${path}/{complaintID}/judge`,
  summary: 'Accept or object to a resolution',
  params,
  body: EmbedComplaintJudgement,
  reply,
  handle: ({ who, params, body, at }, ctx) =>
    runAct(ctx, who, at, async (actContext, journey) =>
      judgeResolution(actContext, await lockOwnComplaint(actContext, journey, params.complaintID), body.settled),
    ),
})

const withdraw = route({
  ...common,
  method: 'POST',
  path: `${path}/{complaintID}/withdraw`,
  summary: 'Withdraw a complaint',
  params,
  body: EmbedComplaintWithdrawal,
  reply,
  handle: ({ who, params, at }, ctx) =>
    runAct(ctx, who, at, async (actContext, journey) =>
      withdrawComplaint(actContext, await lockOwnComplaint(actContext, journey, params.complaintID)),
    ),
})

export const complaintRoutes = [list, open, add, judge, withdraw]
