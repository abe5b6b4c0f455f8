// The complaint of the gold flow: opened, taken up, resolved, closed with a rating (FIS12 §20).
import { asked, pushed, type Step, type Talk } from './talk.ts'
import type { Json } from './wire.ts'

const organisation = {
  org: { name: 'official.sandbox.example::ONDC:FIS12' },
  contact: { phone: '022-40009901', email: 'help@official-finance.example' },
  person: { name: 'Leela Menon' },
}

/** Every action so far, the newest last. */
function actions(talk: Talk, action: string, short_desc: string): Json[] {
  const before: Json[] = JSON.parse(talk.facts.get('actions') ?? '[]')
  const updated_at = new Date().toISOString()
  const all = [
    ...before,
    { respondent_action: action, short_desc, updated_at, updated_by: organisation, cascaded_level: 1 },
  ]
  talk.facts.set('actions', JSON.stringify(all))
  return all
}

const answerTo = (talk: Talk, action: string, text: string, more: Json = {}): Json => ({
  issue: {
    id: talk.facts.get('issue'),
    issue_actions: { respondent_actions: actions(talk, action, text) },
    created_at: talk.facts.get('opened'),
    updated_at: new Date().toISOString(),
    ...more,
  },
})

const resolved = {
  resolution_provider: {
    respondent_info: {
      type: 'TRANSACTION-COUNTERPARTY-NP',
      organization: organisation,
      resolution_support: {
        chat_link: 'https://official-finance.example/chat',
        contact: organisation.contact,
        gros: [
          {
            person: organisation.person,
            contact: organisation.contact,
            gro_type: 'TRANSACTION-COUNTERPARTY-NP-GRO',
          },
        ],
      },
    },
  },
  resolution: {
    short_desc: 'The charge is returned',
    long_desc: 'The charge is returned to the account of the borrower.',
    action_triggered: 'REFUND',
    refund_amount: '500.00',
  },
}

export const grievanceSteps: Step[] = [
  asked(
    'issue',
    (talk, { issue }) => {
      talk.facts.set('issue', issue.id)
      talk.facts.set('opened', issue.created_at)
      return answerTo(talk, 'PROCESSING', 'The complaint is looked into')
    },
    {
      check: (talk, { issue }) => [
        issue.status !== 'OPEN' && `is ${issue.status}`,
        issue.issue_type !== 'ISSUE' && `is a ${issue.issue_type}`,
        issue.order_details.id !== talk.id('ORDER') && `names the order ${issue.order_details.id}`,
      ],
    },
  ),
  pushed('on_issue_status', null, (talk) => answerTo(talk, 'RESOLVED', 'The complaint is resolved', resolved)),
  // The buyer closes it with a rating; nothing is answered to that.
  {
    ...asked('issue', () => null, {
      check: (talk, { issue }) => [
        issue.id !== talk.facts.get('issue') && `is about ${issue.id}`,
        issue.status !== 'CLOSED' && `is ${issue.status}`,
        !/^THUMBS[-_](UP|DOWN)$/.test(issue.rating ?? '') && `is rated ${issue.rating}`,
        issue.created_at !== talk.facts.get('opened') && 'was opened at another time now',
      ],
    }),
  },
]
