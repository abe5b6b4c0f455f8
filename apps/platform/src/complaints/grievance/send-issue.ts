// Sends a grievance, its closure or a status request to the lender (FIS12 §20).

import { required } from '@lendloom/foundation/required'
import type { Tx } from '@lendloom/postgres/sql'
import type { Write } from '@lendloom/postgres/write'
import { enqueue } from '@lendloom/queue/queue'
import type { Seal } from '@lendloom/seal/seal'
import { igmCodecs, issueStatus } from '@lendloom/wire/network/igm/codec'
import type { IssueDraft } from '@lendloom/wire/network/igm/complaint'
import { identityOf } from '#platform/lenders/network/own-identity.ts'
import { type AsideRequest, askAside } from '#platform/lenders/network/queue-request.ts'
import { readConversation } from '#platform/lenders/network/store.ts'
import type { Grievance } from './grievance.ts'
import type { GrievanceContext } from './grievance-context.ts'
import { actTexts, additionText, summaries, unknownComplainant } from './text-en.ts'

/** Sends the grievance as an `issue`; returns the grievance with the message id and the trail of actions. */
export async function sendIssue(ctx: GrievanceContext & Write, grievance: Grievance): Promise<Grievance> {
  const { message, trail } = igmCodecs[grievance.igmVersion].writeIssue(draftOf(ctx, grievance))
  // The request is retried until the response deadline.
  const request = { action: 'issue', message, ttl: ctx.config.GRIEVANCE_RESPONSE_TIME } as const
  const requestId = await sendAbout(ctx, { grievance, request })
  return { ...grievance, requestId, detail: { ...grievance.detail, trail } }
}

function draftOf(ctx: GrievanceContext & Write, grievance: Grievance): IssueDraft {
  const { config } = ctx
  const { detail } = grievance
  const { id: org } = identityOf(config)
  const parseTime = <Entry extends { at: string }>(entry: Entry) => ({ ...entry, at: new Date(entry.at) })
  return {
    issueId: grievance.grievanceId,
    category: grievance.category,
    subCategory: grievance.subCategory,
    complainant: { ...detail.complainant, name: detail.complainant.name ?? unknownComplainant },
    order: detail.order,
    description: {
      short: summaries[grievance.topic],
      long: [detail.text, ...detail.additions.map(({ text }) => additionText(text))].join('\n\n'),
      textUrl: textUrl(ctx, grievance),
    },
    additions: detail.additions.map(parseTime),
    participant: `${org}/ondc`,
    responseTime: config.GRIEVANCE_RESPONSE_TIME,
    resolutionTime: config.GRIEVANCE_RESOLUTION_TIME,
    issueType: grievance.issueType,
    rating: grievance.rating,
    actions: detail.ours.map(parseTime).map(({ action, at, text }) => ({ action, at, text: actTexts[text] })),
    by: {
      org,
      name: config.GRIEVANCE_OFFICER_NAME,
      phone: config.GRIEVANCE_OFFICER_PHONE,
      email: config.GRIEVANCE_OFFICER_EMAIL,
    },
    trail: detail.trail ?? null,
    createdAt: grievance.createdAt,
    updatedAt: ctx.at,
  }
}

/** Requests the status of the grievance. The answer lists all actions of the lender. */
export async function requestGrievanceStatus(ctx: GrievanceContext & Write, grievance: Grievance): Promise<void> {
  const ttl = ctx.config.NETWORK_CALL_TTL
  await sendAbout(ctx, {
    grievance,
    request: { action: 'issue_status', message: issueStatus(grievance.grievanceId), ttl },
  })
}

interface GrievanceMessage {
  grievance: Grievance
  request: AsideRequest
}

async function sendAbout(
  ctx: GrievanceContext & Write,
  { grievance: { tenantId, journeyId, conversationId }, request }: GrievanceMessage,
): Promise<string> {
  const { tx } = ctx
  const conversation = await readConversation(tx, tenantId, journeyId, conversationId)
  return (await askAside(ctx, required(conversation, 'the conversation of a complaint'), request)).messageId
}

type GrievanceKey = Pick<Grievance, 'tenantId' | 'journeyId' | 'grievanceId'>

const linkContext = 'grievance text link'

/** Where the lender reads what the borrower added (FIS12 §20). The token is sealed: it cannot be forged or read. */
const textUrl = (
  { seal, config }: Pick<GrievanceContext, 'seal' | 'config'>,
  { tenantId, journeyId, grievanceId }: GrievanceKey,
): string => {
  const token = seal.json([tenantId, journeyId, grievanceId], linkContext).toString('base64url')
  return `${identityOf(config).uri.replace(/(?<!\/)\/+$/, '')}/grievances/${token}/text`
}

export function openTextLink(seal: Seal, token: string): GrievanceKey | null {
  try {
    const [tenantId, journeyId, grievanceId] = seal.openJson<[string, string, string]>(
      Buffer.from(token, 'base64url'),
      linkContext,
    )
    return { tenantId, journeyId, grievanceId }
  } catch {
    return null
  }
}

/** The borrower's complaint and what the borrower added, oldest first, as plain text. */
export const textOf = ({ detail, createdAt }: Pick<Grievance, 'detail' | 'createdAt'>): string =>
  [{ at: createdAt.toISOString(), text: detail.text }, ...detail.additions]
    .map(({ at, text }) => `${at}\n${text}\n`)
    .join('\n')

export const grievanceChangedKind = 'grievance-changed'

export interface GrievanceChange {
  journeyId: string
  grievanceId: string
}

/** Enqueues the job. Both the caller and the worker hold the journey's lock, so that the worker sees every change. */
export const enqueueChange = (
  tx: Tx,
  {
    tenantId,
    journeyId,
    grievanceId,
    updatedAt,
  }: Pick<Grievance, 'tenantId' | 'journeyId' | 'grievanceId' | 'updatedAt'>,
): Promise<void> =>
  enqueue(tx, {
    tenantId,
    kind: grievanceChangedKind,
    key: grievanceId,
    dueAt: updatedAt,
    payload: { journeyId, grievanceId } satisfies GrievanceChange,
  })
