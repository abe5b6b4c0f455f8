// Complaints about a gold loan: resolved at once, after a question, or by the grievance officer; closed with a rating (FIS12 §20).
import { answerStep, pushStep, type Step, type Talk } from './talk.ts'
import type { Json } from './wire.ts'

const organisation = {
  org: { name: 'official.sandbox.example::ONDC:FIS12' },
  contact: { phone: '022-40009901', email: 'help@official-finance.example' },
  person: { name: 'Leela Menon' },
}

function appendAction(talk: Talk, action: string, short_desc: string): Json[] {
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
    issue_actions: { respondent_actions: appendAction(talk, action, text) },
    created_at: talk.facts.get('opened'),
    updated_at: new Date().toISOString(),
    ...more,
  },
})

const resolutionFields = {
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

/** Required in every answer to `issue_status`: the resolver, without a resolution yet. */
const pendingResolution = { resolution_provider: resolutionFields.resolution_provider }

type Faults = (string | false)[]

/** Checks the fields that an open complaint repeats in each `issue`. */
function openFaults(talk: Talk, { issue }: Json, type: 'ISSUE' | 'GRIEVANCE', actions: string[]): Faults {
  const complainantActions = issue.issue_actions.complainant_actions.map((each: Json) => each.complainant_action)
  const always = 'category sub_category complainant_info description source expected_response_time'
  const missing = [...always.split(' '), 'expected_resolution_time'].filter((name) => issue[name] === undefined)
  return [
    missing.length > 0 && `lacks ${missing}`,
    issue.status !== 'OPEN' && `is ${issue.status}`,
    issue.issue_type !== type && `is a ${issue.issue_type}, not a ${type}`,
    issue.order_details?.id !== talk.id('ORDER') && `names the order ${issue.order_details?.id}`,
    complainantActions.join() !== actions.join() && `has actions ${complainantActions}, expected ${actions}`,
  ]
}

/** Checks that id and created_at match the opened complaint. */
const identityFaults = (talk: Talk, { issue }: Json): Faults => [
  issue.id !== talk.facts.get('issue') && `is about ${issue.id}`,
  issue.created_at !== talk.facts.get('opened') && 'has a different created_at',
]

const openingStep = answerStep(
  'issue',
  (talk, { issue }) => {
    talk.facts.set('issue', issue.id)
    talk.facts.set('opened', issue.created_at)
    return answerTo(talk, 'PROCESSING', 'The complaint is looked into')
  },
  { check: (talk, message) => openFaults(talk, message, 'ISSUE', ['OPEN']) },
)

const resolution = pushStep('on_issue_status', null, (talk) =>
  answerTo(talk, 'RESOLVED', 'The complaint is resolved', resolutionFields),
)

/** The buyer closes the complaint with a rating; there is no answer. */
const closingStep = (before: string[]): Step =>
  answerStep('issue', () => null, {
    check: (talk, message) => {
      const { issue } = message
      const complainantActions = issue.issue_actions.complainant_actions.map((each: Json) => each.complainant_action)
      return [
        ...identityFaults(talk, message),
        issue.status !== 'CLOSED' && `is ${issue.status}`,
        !/^THUMBS-(UP|DOWN)$/.test(issue.rating ?? '') && `is rated ${issue.rating}`,
        complainantActions.join() !== [...before, 'CLOSE'].join() && `has actions ${complainantActions} at its end`,
      ]
    },
  })

export const grievanceSteps: Step[] = [openingStep, resolution, closingStep(['OPEN'])]

export const question = 'On which day was the charge taken?'
export const reply = 'It was taken on 18 November, reference AXIS-00412.'

/** The lender asks a question. The next `issue` contains the answer and a link to it that only this lender may open. */
export const questionSteps: Step[] = [
  openingStep,
  pushStep('on_issue_status', null, (talk) => answerTo(talk, 'NEED-MORE-INFO', question, pendingResolution)),
  answerStep(
    'issue',
    async (talk, { issue }) => {
      const { url, content_type: type } = issue.description.additional_desc ?? {}
      const page = await fetch(url)
      const text = await page.text()
      if (!page.headers.get('content-type')?.startsWith(type) || !text.includes(reply))
        talk.faults.push(`the addition is not available at ${url} as ${type}: ${page.status} ${text}`)
      return answerTo(talk, 'PROCESSING', 'Thank you, the complaint is looked into')
    },
    {
      check: (talk, message) => [
        ...identityFaults(talk, message),
        ...openFaults(talk, message, 'ISSUE', ['OPEN']),
        !message.issue.description.additional_desc && 'has no additional_desc',
        !message.issue.description.long_desc.includes(reply) && 'does not contain the addition',
        message.issue.updated_at <= talk.facts.get('opened')! && 'was not updated',
      ],
    },
  ),
  resolution,
  closingStep(['OPEN']),
]

const statusStep: Step = answerStep(
  'issue_status',
  (talk) => answerTo(talk, 'PROCESSING', 'The complaint is still looked into', pendingResolution),
  {
    check: (talk, message) => [message.issue_id !== talk.facts.get('issue') && `asks for ${message.issue_id}`],
  },
)

/** As the newest flows publish it: the buyer asks how far the lender is before the lender resolves the complaint. */
export const askedGrievanceSteps: Step[] = [openingStep, statusStep, resolution, closingStep(['OPEN'])]

/** Deadline missed: the buyer queries the status, then escalates to the grievance officer. */
export const escalationSteps: Step[] = [
  openingStep,
  statusStep,
  answerStep('issue', (talk) => answerTo(talk, 'PROCESSING', 'The grievance officer has taken over'), {
    check: (talk, message) => [
      ...identityFaults(talk, message),
      ...openFaults(talk, message, 'GRIEVANCE', ['OPEN', 'ESCALATE']),
    ],
  }),
  resolution,
  closingStep(['OPEN', 'ESCALATE']),
]
