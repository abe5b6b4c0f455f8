// Texts of the API reference: groups, and each operation's description and recorded example.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { OperationGroup, OperationText } from '@lendloom/http/openapi'
import type { Parameter } from '@lendloom/http/openapi-document'
import type { LifecycleStatus } from '@lendloom/wire/hosted/lifecycle'
import type { LoanEventType } from '@lendloom/wire/hosted/loan-event'

export const groups: OperationGroup[] = [
  {
    name: 'Hosted sessions',
    description:
      'Your server creates a session and gets a URL to embed; our page does the rest. With the hybrid calls your app shows the offers itself, and our page continues after the choice.',
    paths: ['/api/lab', '/api/v1/hybrid'],
  },
  {
    name: 'Webhooks',
    description: 'Endpoints for lifecycle updates, and the status of each delivery.',
    paths: ['/api/lab/webhook-'],
  },
  {
    name: 'Headless API',
    description:
      'The same journeys with your own screens: your server creates a session with its API key, and your app uses the borrower’s tokens.',
    paths: ['/api/v1/headless'],
  },
  {
    name: 'Sandbox',
    description:
      'Only in the sandbox, which simulates the network and the providers: advances a journey on behalf of its borrower.',
    paths: ['/api/sandbox'],
  },
]

const descriptions: Record<string, string> = {
  createSession:
    'Starts a journey for your borrower, or resumes the active one, and returns the URL of the hosted page. The token in the URL works once, within two minutes; request a new one whenever you open the page. Returns 201 for a new journey, 200 for a resumed one.',
  listFeatures: 'Returns which loan products your application may offer, so that your app shows only those.',
  createWebhookEndpoint:
    'Registers a URL for lifecycle updates, for all statuses or for the statuses that you list. Store the secret: it verifies the signatures and is not shown again.',
  listWebhookEndpoints:
    'Lists the endpoints, oldest first, with the reason for each disabled one. Secrets are not shown.',
  changeWebhookEndpoint:
    'Changes what you send and keeps the rest. `headers` and `clientCredentials` replace what the endpoint had, and must be given again at a URL of another server. `loanEvents` chooses events of loans.',
  listEvents:
    'Returns the updates after a place, in the same order for every reader. Keep `next` and send it as `after`. The first call begins the feed; updates stay for 30 days.',
  listLoanEventDeliveries:
    'Lists deliveries of events of loans with their attempts and last response, newest first. Filter by journey, endpoint, type or state; `missing=true` lists the events that were given up.',
  replayLoanEventDelivery:
    'Resends an event of a loan, even a delivered one. It has the same `webhook-id`, so that your receiver can ignore a duplicate.',
  getLoanOfJourney:
    'Returns the loan after its payout by the newest report of its lender: what is owed, overdue and due next, the plan and payments. What the lender does not tell is null.',
  getLoan:
    'Returns the loan of the journey after its payout by the newest report of its lender. What the lender does not tell is null.',
  revokeLink: 'Ends a link that was sent, and what was opened with it. A revoked link cannot be opened again.',
  deleteWebhookEndpoint: 'Removes an endpoint and cancels its pending deliveries.',
  rotateWebhookSecret:
    'Creates a new secret for the endpoint. For 24 hours updates are signed with both secrets, so that you lose no update when you switch.',
  listWebhookDeliveries:
    'Lists deliveries with their attempts and last response, newest first. Filter by journey, endpoint, status or state; `missing=true` lists the updates that were given up.',
  replayWebhookDelivery:
    'Resends an update, even a delivered one. It has the same `webhook-id`, so that your receiver can ignore a duplicate.',
  startHybridJourney:
    'Starts or resumes a journey with the data that you have about the borrower. `missing_fields` lists the fields that lenders still need; once it is empty, the lenders are asked. Open `embed_url` to continue on the hosted page at once.',
  listHybridOffers:
    'Lists every lender that was asked, with its offers. Poll it after `poll_after_ms` until that is null. `account_aggregator` has a link if a lender requires bank data first.',
  continueHosted:
    'Chooses an offer with an amount and a term, and returns a new URL of the hosted page, which continues from there.',
  createHeadlessSession:
    'Called by your server: creates or resumes a session for your borrower. Pass the tokens to your app and keep the API key on the server.',
  refreshHeadlessSession:
    'Exchanges the pair of tokens for a new one. The refresh token works once: its reuse revokes all tokens of its family. Send it as the bearer token.',
  listJourneys: 'Lists the journeys of the borrower in this application, newest first.',
  createJourney: 'Starts a journey of a type. Returns 200 with the active journey of this type if there is one.',
  getJourney: 'Returns a journey in full: its timeline, the chosen offer, the loan and its servicing.',
  getJourneyState:
    'Returns the status and the borrower’s next action. The call is cheap; poll it while the borrower waits.',
  saveResumePoint:
    'Stores where the borrower left off in your app, so that another device can continue there. It does not change the journey itself.',
  getOperation:
    'Returns the progress of an operation that was accepted with 202. Poll it after `pollAfterSeconds` until that is null.',
  getProfile:
    'Returns the borrower’s profile. `missingFields` lists the fields that lenders of this product still need.',
  updateProfile:
    'Merges fields into the profile; omitted fields do not change. A refusal names every wrong field and changes nothing. The profile is locked once it is sent to lenders.',
  submitProfile:
    'Sends the complete profile to all eligible lenders, with the borrower’s consent to a bureau inquiry. Offers arrive one by one.',
  listOffers:
    'Lists every lender that was asked. An entry has an offer, states that the offer is awaited, or has the reason why the lender made no offer. Several offers of one lender are separate entries.',
  getOffer:
    'Returns an offer in full: price, charges, schedule, documents to show, branches for a gold loan, and the limits of amount and term.',
  selectOffer:
    'Confirms that the borrower wants this offer and has seen its Key Facts Statement. It locks the journey to this offer; other offers can no longer be chosen. Repeating the call changes nothing.',
  rejectOffer:
    'Rejects an offer, with the stage and the reason as your app names them. Rejecting the chosen offer, or the last one that could be chosen, ends the journey.',
  setLoanAmount: 'Sets the amount that the borrower wants, within the limits of the offer, before proceeding with it.',
  getSteps:
    'Returns the five steps between the choice of the offer and disbursal, each with the action that it requires and, if the lender has a page for the step, the link.',
  getKyc:
    'Returns the KYC step with the link to its page. Open the link in a browser. The borrower’s return does not prove completion.',
  getKycStatus: 'Returns the KYC status as confirmed by its provider, for a screen that waits for it.',
  returnFromKyc:
    'Reports that the borrower is back from the KYC page. A lender that does not report KYC is then asked to continue after five seconds. The return does not prove completion: read the step.',
  getBankMandate: 'Returns whether the lender needs the account, is verifying it, or has rejected it.',
  submitBankMandate:
    'Sends the account for disbursal and instalments to the lender, who verifies it. After a rejection you can send another one.',
  getEMandate: 'Returns the mandate step with the link to the page on which the borrower authorises the debits.',
  returnFromEMandate:
    'Reports that the borrower is back from the mandate page. A lender that does not report the mandate is then asked to continue after five seconds. The return does not prove completion: read the step.',
  getLoanAgreement: 'Returns the agreement step with the link to the page on which the borrower signs.',
  returnFromLoanAgreement:
    'Reports that the borrower is back from the agreement page. A lender that does not report signatures is then asked to continue after five seconds instead of two minutes. The return does not prove a signature: read the step.',
  listAaSessions: 'Lists the consents to share bank data that lenders request, before an offer or after the sanction.',
  createAaSession:
    'Creates or returns the consent session of an offer. Send another handle of the borrower in `aaID` if the lender did not find the first one.',
  getAaSession: 'Returns one consent session and the action that it needs.',
  createAaRedirect:
    'Creates a link to the account aggregator. It is valid for three minutes; request another one until the borrower has decided.',
  completeAaSession:
    'Sends the parameters with which the aggregator returned the borrower. The platform trusts only the aggregator’s server, which it queries.',
  reconcileAaSession: 'Queries the aggregator again, for a borrower who returned without a result.',
  requestLoanStatus:
    'Requests the status of the loan from the lender. The operation ends when the lender has responded; the journey then has the new status.',
  requestForeclosure:
    'Asks the lender for a page on which the borrower repays the whole loan. The link appears in `servicing` of the journey.',
  requestPartPayment:
    'Asks the lender for a page on which the borrower repays a part of the loan early. The link appears in `servicing` of the journey.',
  requestMissedPayment:
    'Asks the lender for a page on which the borrower pays an overdue instalment. If no instalment is overdue, the lender refuses and the operation fails.',
  advanceJourney:
    'Makes the sandbox act as the borrower, the lender and the providers until the journey reaches a status. It runs in the background and never sets a status directly.',
}

/** What an update of each status reports (D1 §3). */
/** What each event of a loan says. */
export const loanEventMeanings: Record<LoanEventType, string> = {
  'loan.due': 'Instalments are due today',
  'loan.paid': 'The lender counts instalments as paid',
  'loan.payment_returned': 'Instalments that were paid are unpaid again, because the bank took a payment back',
  'loan.part_paid': 'A part payment has arrived',
  'loan.charged': 'The lender has added charges to the account',
  'loan.overdue': 'Instalments, or an amount, are overdue that were not',
  'loan.statement_changed':
    'Amounts or the plan have changed for another reason, such as interest or a draw from a credit line',
  'loan.cancelled': 'The loan was cancelled in the cooling-off period, or its payout came back',
  'loan.closed': 'The loan is repaid, or the credit line is closed',
  'loan.reopened': 'A loan that was repaid is open again, because the bank took a payment back',
}

export const statusMeanings: Record<LifecycleStatus, string> = {
  STARTED: 'The journey began',
  PROFILED: 'The profile is complete and was sent to lenders',
  OFFERED: 'The first lender made an offer',
  NOT_OFFERED: 'No lender made an offer; the journey has ended',
  OFFER_SELECTED: 'The borrower chose an offer, which locks the journey to its lender',
  OFFER_ACCEPTED: 'The borrower accepted the final terms',
  LENDER_REDIRECTED: 'The lender’s steps began: identity, account, mandate and agreement',
  REJECTED: 'The journey has ended without a loan',
  DISBURSED: 'The lender paid out the loan',
}

const text = { type: 'string' }

export const webhookHeaders: Parameter[] = [
  { name: 'webhook-id', in: 'header', required: true, description: 'The same in each try of an event', schema: text },
  { name: 'webhook-timestamp', in: 'header', required: true, description: 'Unix seconds of the try', schema: text },
  {
    name: 'webhook-signature',
    in: 'header',
    required: true,
    description: '`v1,` and the base64 of HMAC-SHA256 over `id.timestamp.body`, one for each valid secret',
    schema: text,
  },
  { name: 'lendloom-event-version', in: 'header', required: true, description: 'Version of the body', schema: text },
  {
    name: 'lendloom-missing',
    in: 'header',
    description: 'Ids of earlier updates of the journey that were given up',
    schema: text,
  },
]

type Examples = Record<string, Pick<OperationText, 'request' | 'answer'>>

/** Keyed by operation id: a request and a response recorded in the sandbox, with long lists cut to their first entry. */
export const examples: Examples = JSON.parse(readFileSync(join(import.meta.dirname, 'examples.json'), 'utf8'))

export const texts: Record<string, OperationText> = Object.fromEntries(
  Object.entries(descriptions).map(([id, description]) => [id, { description, ...examples[id] }]),
)
