// Complaints about a gold loan: resolved at once, after a question to the borrower, or only by the grievance officer; closed with a rating (FIS12 §20).
import { answerStep, pushStep, type Step, type Talk } from './talk.ts'
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

/** What an answer to `issue_status` needs at any time: who resolves it, without a resolution yet. */
const underWay = { resolution_provider: resolved.resolution_provider }

type Faults = (string | false)[]

/** Everything that an open complaint repeats in each `issue`. */
function openFaults(talk: Talk, { issue }: Json, type: 'ISSUE' | 'GRIEVANCE', actions: string[]): Faults {
  const own = issue.issue_actions.complainant_actions.map((each: Json) => each.complainant_action)
  const always = 'category sub_category complainant_info description source expected_response_time'
  const missing = [...always.split(' '), 'expected_resolution_time'].filter((name) => issue[name] === undefined)
  return [
    missing.length > 0 && `lacks ${missing}`,
    issue.status !== 'OPEN' && `is ${issue.status}`,
    issue.issue_type !== type && `is a ${issue.issue_type}, not a ${type}`,
    issue.order_details?.id !== talk.id('ORDER') && `names the order ${issue.order_details?.id}`,
    own.join() !== actions.join() && `says ${own} in place of ${actions}`,
  ]
}

/** It is the complaint that was opened, and says when that was. */
const sameFaults = (talk: Talk, { issue }: Json): Faults => [
  issue.id !== talk.facts.get('issue') && `is about ${issue.id}`,
  issue.created_at !== talk.facts.get('opened') && 'was opened at another time now',
]

const opened = answerStep(
  'issue',
  (talk, { issue }) => {
    talk.facts.set('issue', issue.id)
    talk.facts.set('opened', issue.created_at)
    return answerTo(talk, 'PROCESSING', 'The complaint is looked into')
  },
  { check: (talk, message) => openFaults(talk, message, 'ISSUE', ['OPEN']) },
)

const resolution = pushStep('on_issue_status', null, (talk) =>
  answerTo(talk, 'RESOLVED', 'The complaint is resolved', resolved),
)

/** The buyer closes it with a rating; nothing is answered to that. */
const closed = (before: string[]): Step =>
  answerStep('issue', () => null, {
    check: (talk, message) => {
      const { issue } = message
      const own = issue.issue_actions.complainant_actions.map((each: Json) => each.complainant_action)
      return [
        ...sameFaults(talk, message),
        issue.status !== 'CLOSED' && `is ${issue.status}`,
        !/^THUMBS-(UP|DOWN)$/.test(issue.rating ?? '') && `is rated ${issue.rating}`,
        own.join() !== [...before, 'CLOSE'].join() && `says ${own} at its end`,
      ]
    },
  })

export const grievanceSteps: Step[] = [opened, resolution, closed(['OPEN'])]

export const question = 'On which day was the charge taken?'
export const reply = 'It was taken on 18 November, reference AXIS-00412.'

/** The lender wants to know more; the answer is in the next `issue`, and behind its link for this lender alone. */
export const questionSteps: Step[] = [
  opened,
  pushStep('on_issue_status', null, (talk) => answerTo(talk, 'NEED-MORE-INFO', question, underWay)),
  answerStep(
    'issue',
    async (talk, { issue }) => {
      const { url, content_type: type } = issue.description.additional_desc ?? {}
      const page = await fetch(url)
      const text = await page.text()
      if (!page.headers.get('content-type')?.startsWith(type) || !text.includes(reply))
        talk.faults.push(`what was added is not at ${url} as ${type}: ${page.status} ${text}`)
      return answerTo(talk, 'PROCESSING', 'Thank you, the complaint is looked into')
    },
    {
      check: (talk, message) => [
        ...sameFaults(talk, message),
        ...openFaults(talk, message, 'ISSUE', ['OPEN']),
        !message.issue.description.additional_desc && 'has no additional_desc',
        !message.issue.description.long_desc.includes(reply) && 'does not say what was added',
        message.issue.updated_at <= talk.facts.get('opened')! && 'was not updated',
      ],
    },
  ),
  resolution,
  closed(['OPEN']),
]

/** Not resolved in its time: the lender is asked how it stands, and then its grievance officer takes over. */
export const escalationSteps: Step[] = [
  opened,
  answerStep('issue_status', (talk) => answerTo(talk, 'PROCESSING', 'The complaint is still looked into', underWay), {
    check: (talk, message) => [message.issue_id !== talk.facts.get('issue') && `asks for ${message.issue_id}`],
  }),
  answerStep('issue', (talk) => answerTo(talk, 'PROCESSING', 'The grievance officer has taken over'), {
    check: (talk, message) => [
      ...sameFaults(talk, message),
      ...openFaults(talk, message, 'GRIEVANCE', ['OPEN', 'ESCALATE']),
    ],
  }),
  resolution,
  closed(['OPEN', 'ESCALATE']),
]
