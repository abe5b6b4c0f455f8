// A lender's answers in IGM 2.0.0, written without our message builders: the buyer app's complaint with more actions.
import type { Json } from '#test/network-messages/conversation.ts'

export interface LenderAction {
  code: string
  id?: string
  by?: string
  text?: string
  ref?: string
}

const info = {
  org: { name: 'sahyadri.example::ONDC:FIS12' },
  person: { name: 'Vikram Deshpande' },
  contact: { phone: '020-4000', email: 'care@sahyadri.example' },
}
export const lenderActor = { id: 'NP2', type: 'COUNTERPARTY_NP', info }
const officerActor = {
  id: 'GRO2',
  type: 'COUNTERPARTY_NP_GRO',
  info: { ...info, person: { name: 'Leela Rao' } },
}

/** The complaint in `message` with the lender's new actions, each a second after the action before it. */
export function complaintWith(message: Json, added: LenderAction[], resolutions: Json[] = []): Json {
  const issue: Json = structuredClone(message.issue)
  for (const { code, by = 'NP2', text = `The lender says ${code}`, ref, id } of added) {
    const last = issue.actions.at(-1)
    issue.actions.push({
      id: id ?? `B${issue.actions.length}`,
      ...(ref && { ref_id: ref, ref_type: 'RESOLUTIONS' }),
      descriptor: { code, short_desc: text },
      updated_at: new Date(Date.parse(last.updated_at) + 1000).toISOString(),
      action_by: by,
    })
  }
  const known = issue.actors.map(({ id }: Json) => id)
  for (const actor of [lenderActor, officerActor]) if (!known.includes(actor.id)) issue.actors.push(actor)
  const all = [...(issue.resolutions ?? []), ...resolutions]
  return {
    update_target: [{ path: 'issue.actions', action: 'APPENDED' }],
    issue: {
      ...issue,
      status: added.at(-1)?.code === 'RESOLVED' ? 'RESOLVED' : 'PROCESSING',
      respondent_ids: ['NP2'],
      last_action_id: issue.actions.at(-1).id,
      ...(all.length > 0 && { resolutions: all }),
      surprise: 'a field that we do not know',
    },
  }
}

export const refusal: Json = {
  id: 'R1',
  descriptor: { code: 'NO_ACTION', short_desc: 'The charge is as agreed' },
  proposed_by: 'NP2',
}
export const refund: Json = {
  id: 'R2',
  descriptor: { code: 'REFUND', short_desc: 'We refund the charge' },
  proposed_by: 'GRO2',
  tags: [
    {
      descriptor: { code: 'RESOLUTION_DETAILS' },
      list: [{ descriptor: { code: 'REFUND_AMOUNT' }, value: 500 }],
    },
  ],
}
