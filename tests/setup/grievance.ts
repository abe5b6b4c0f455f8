// A loan confirmed by the fake network's lender, grievances about it, and the lender's messages.
import { after } from 'node:test'
import type { ProductId } from '@lendloom/lending/product/products'
import { grievanceWork } from '@lendloom/platform/src/complaints/grievance/follow-up.ts'
import type { Grievance } from '@lendloom/platform/src/complaints/grievance/grievance.ts'
import type { GrievanceContext } from '@lendloom/platform/src/complaints/grievance/grievance-context.ts'
import { raiseGrievance } from '@lendloom/platform/src/complaints/grievance/raise-grievance.ts'
import { findGrievance } from '@lendloom/platform/src/complaints/grievance/store.ts'
import type { Conversation } from '@lendloom/platform/src/lenders/network/conversation.ts'
import { dialectOf } from '@lendloom/platform/src/lenders/network/dialect.ts'
import { readMessages } from '@lendloom/platform/src/lenders/network/messages/store.ts'
import type { ConversationStage } from '@lendloom/platform/src/lenders/network/stage.ts'
import { detailsContext } from '@lendloom/platform/src/lending/borrower/borrower.ts'
import type { Journey } from '@lendloom/platform/src/lending/journey/journey.ts'
import { lockJourney } from '@lendloom/platform/src/lending/journey/store.ts'
import type { Tx } from '@lendloom/postgres/sql'
import { bucketOf, uuidv7 } from '@lendloom/seal/id'
import type { Json } from '#test/network-messages/conversation.ts'
import { conversationHelpers } from './conversation.ts'
import { type FakeNetwork, fakeNetwork, type NetworkCall } from './network.ts'
import { type TestSubscriber, testSubscriber, waitFor } from './subscriber.ts'

export const complaint = { topic: 'CHARGES', text: 'A charge of 500 rupees was taken that the offer did not show.' }

type RespondentAction = 'PROCESSING' | 'CASCADED' | 'NEED-MORE-INFO' | 'NEED_MORE_INFO' | 'RESOLVED'

/** An act on a grievance, such as the functions of `act.ts`. */
type Act = (tx: Tx, ctx: GrievanceContext, journey: Journey, at: Date) => Promise<Grievance>

export interface GrievanceTestContext {
  network: FakeNetwork
  platform: TestSubscriber
  /** Creates a journey with a loan at this stage; by default disbursed. */
  loan(
    stage?: ConversationStage,
    orderId?: string | null,
    type?: ProductId,
  ): Promise<{ journey: Journey; conversation: Conversation }>
  act(journey: Journey, how: Act): Promise<Grievance>
  raise(journey: Journey): Promise<Grievance>
  reload(grievance: Grievance): Promise<Grievance>
  /** Waits for the next `issue` or `issue_status` at the lender, and until its outcome is recorded. */
  nextAcknowledged(journey: Journey, action: 'issue' | 'issue_status'): Promise<NetworkCall>
  /** Sends the lender's message about a grievance: all actions so far, the newest last, one second apart. */
  answer(
    grievance: Grievance,
    action: 'on_issue' | 'on_issue_status',
    all: RespondentAction[],
    more: AnswerContent,
  ): Promise<HttpAnswer>
}

interface AnswerContent {
  journey: Journey
  messageId?: string
  error?: Json
  issue?: Json
  firstAt?: Date
  /** A message of IGM 2.0.0 in place of `all` and `issue`. */
  complaint?: Json
}
type HttpAnswer = { status: number; body: Json }

export async function grievanceContext(): Promise<GrievanceTestContext> {
  const network = await fakeNetwork()
  const platform = await testSubscriber(network.url)
  const { ctx, url } = platform
  const { conversationAt } = conversationHelpers(network, platform)
  const running = grievanceWork(ctx)
  after(() => Promise.all(running.map((worker) => worker.stop())))
  const act: GrievanceTestContext['act'] = ({ tenantId, journeyId }, how) =>
    ctx.db.tx(async (tx) => how(tx, ctx, (await lockJourney(tx, tenantId, journeyId))!, ctx.clock()))
  return {
    network,
    platform,
    act,
    async loan(stage = 'DISBURSED', orderId = 'order-1', type = 'PERSONAL_LOAN') {
      const started = await conversationAt(stage, { orderId })
      const { journey } = started
      if (type !== journey.type) await ctx.db`update journey set type = ${type} where journey_id = ${journey.journeyId}`
      const { tenantId, journeyId } = started.journey
      const { conversationId, lenderId } = started.conversation
      const at = ctx.clock()
      const person = { personal: { mobile: '9800000042', panName: 'Anil Kamble' }, work: {}, address: {}, gold: null }
      const profileSealed = ctx.seal.json(person, detailsContext(tenantId, journeyId))
      const offer = {
        offerId: uuidv7(at.getTime(), bucketOf(journeyId)),
        conversationId,
        lenderId,
        status: 'OFFER_RECEIVED',
        limits: '{}',
        selectedAt: at,
      }
      await ctx.db`insert into profile ${ctx.db({ bucket: bucketOf(journeyId), tenantId, journeyId, profileSealed, updatedAt: at })}`
      await ctx.db`insert into offer ${ctx.db({ bucket: bucketOf(journeyId), tenantId, journeyId, ...offer, createdAt: at, updatedAt: at })}`
      return { ...started, journey: { ...journey, type } }
    },
    raise: (journey) =>
      act(journey, (tx, context, lockedJourney, at) =>
        raiseGrievance({ ...context, tx, at }, lockedJourney, complaint),
      ),
    async reload(grievance) {
      return (await findGrievance(ctx.db, ctx.seal, grievance, grievance.grievanceId))!
    },
    async nextAcknowledged({ tenantId, journeyId, networkTransactionId }, action) {
      const request = await network.nextCall(`/ondc/${action}`, networkTransactionId)
      await waitFor(async () => {
        const messages = await readMessages(ctx.db, ctx.seal, tenantId, journeyId)
        return messages.every(({ direction, outcome }) => direction !== 'sent' || outcome)
      })
      return request
    },
    async answer(
      grievance,
      action,
      all,
      { journey, messageId, error, issue, firstAt = grievance.createdAt, complaint },
    ) {
      const at = ctx.clock()
      const message = complaint ?? { issue: { ...answerOf(grievance, all, firstAt), ...issue } }
      const ids = { transactionId: journey.networkTransactionId, ...(messageId && { messageId }) }
      const dialect = dialectOf(journey)
      const address = dialect === '2.3.0' && { bpp_uri: 'http://sahyadri.example/ondc' }
      const raw = network.callback(action as never, {
        ...ids,
        context: { timestamp: at.toISOString(), version: dialect, ...address },
        ...(error ? { error } : { message }),
      })
      return network.postSigned(url, raw, { at })
    },
  }
}

const respondent = {
  org: { name: 'sahyadri.example::ONDC:FIS12' },
  contact: { phone: '020-4000' },
  person: { name: 'Vikram Deshpande' },
}

const answerOf = ({ grievanceId, createdAt }: Grievance, all: RespondentAction[], firstAt: Date) => ({
  id: grievanceId,
  issue_actions: {
    respondent_actions: all.map((respondent_action, i) => ({
      respondent_action,
      short_desc: `The lender says ${respondent_action}`,
      updated_at: new Date(firstAt.getTime() + 1000 * (i + 1)).toISOString(),
      updated_by: respondent,
      cascaded_level: 1,
    })),
  },
  created_at: createdAt.toISOString(),
  updated_at: new Date(firstAt.getTime() + 1000 * all.length).toISOString(),
  resolution_provider: {
    respondent_info: {
      type: 'TRANSACTION-COUNTERPARTY-NP',
      organization: respondent,
      resolution_support: {
        gros: [{ person: { name: 'Leela Rao' }, contact: { phone: '020-4001' }, gro_type: 'INTEFACING-NP-GRO' }],
      },
    },
  },
  ...(all.at(-1) === 'RESOLVED' && {
    resolution: { short_desc: 'The charge is returned', action_triggered: 'REFUND', refund_amount: '500.00' },
  }),
})
