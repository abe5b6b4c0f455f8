// The text of the API reference for each operation: groups, a description, and an example from a real run.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { OperationGroup, OperationText } from '#kit/http/openapi.ts'

export const groups: OperationGroup[] = [
  {
    name: 'Hosted sessions',
    description:
      'Your server asks for a session and gets an address to embed; our page does everything else. With the hybrid calls your app shows the offers itself, and our page goes on from the choice.',
    paths: ['/api/lab', '/api/v1/hybrid'],
  },
  {
    name: 'Webhooks',
    description: 'Where lifecycle updates are sent, and what became of each.',
    paths: ['/api/lab/webhook-'],
  },
  {
    name: 'Headless API',
    description:
      'The same journeys with screens of your own: your server opens a session with its API key, your app goes on with the tokens of the borrower.',
    paths: ['/api/v1/headless'],
  },
  {
    name: 'Sandbox',
    description: 'Only where the network and the providers are simulated: drives a journey as its borrower would.',
    paths: ['/api/sandbox'],
  },
]

const descriptions: Record<string, string> = {
  postApiLabSessions:
    'Begins a journey for your borrower, or resumes the active one, and answers the address of the hosted page. The token in it works once, within two minutes; ask for another whenever the page is opened. 201 for a new journey, 200 for a resumed one.',
  getApiLabFeatures: 'Tells which loan products your application may offer, so that your app shows no others.',
  postApiLabWebhookEndpoints:
    'Registers an address for lifecycle updates, for all statuses or for those that you name. Keep the secret: it verifies the signatures and is not shown again.',
  getApiLabWebhookEndpoints:
    'Lists the endpoints, oldest first, with what disabled those that are. Secrets are not shown.',
  deleteApiLabWebhookEndpointsId: 'Removes an endpoint. Deliveries that were still to come are not made.',
  postApiLabWebhookEndpointsIdRotateSecret:
    'Gives the endpoint a new secret. For 24 hours updates carry a signature of each, so that you can change it without losing any.',
  getApiLabWebhookDeliveries:
    'Shows each delivery with its tries and its last answer, newest first; filter by journey, endpoint, status or state.',
  postApiLabWebhookDeliveriesIdReplay:
    'Sends an update again, also one that was delivered. It carries the same `webhook-id`, so a receiver that has seen it does nothing.',
  postApiV1HybridProductBorrowersBorrowerProviderIDJourney:
    'Begins or resumes a journey with what you know of the borrower. `missing_fields` names what lenders still need; once nothing is missing they are asked. `embed_url` hands over to the hosted page at once.',
  getApiV1HybridProductBorrowersBorrowerProviderIDJourneyOffers:
    'Shows every lender that was asked and its offers. Poll it after `poll_after_ms` until that is null. `account_aggregator` has a link where a lender wants bank data first.',
  postApiV1HybridProductBorrowersBorrowerProviderIDJourneyOffersOfferIDHosted:
    'Chooses an offer with an amount and a term, and answers a fresh address of the hosted page, which goes on from there.',
  postApiV1HeadlessSessions:
    'Opens or resumes the context of your borrower, called by your server. Give the tokens to your app; the API key stays on the server.',
  postApiV1HeadlessSessionsRefresh:
    'Trades the pair of tokens for a new one. The refresh token works once: reuse ends all tokens that came of it. Send it as the bearer.',
  getApiV1HeadlessJourneys: 'Lists the journeys of the borrower in this application, newest first.',
  postApiV1HeadlessJourneys:
    'Begins a journey of a type. 200 with the journey that is there when one of this type is active.',
  getApiV1HeadlessJourneysJourneyID:
    'Reads a journey with everything that belongs to it: its timeline, the chosen offer, the loan and its servicing.',
  getApiV1HeadlessJourneysJourneyIDState:
    'Reads the status and what the borrower can do next. It is cheap; poll it while the borrower looks at a screen that waits.',
  patchApiV1HeadlessJourneysJourneyIDResume:
    'Keeps where the borrower left off in your app, so that another device goes on there. It changes nothing of the journey.',
  getApiV1HeadlessJourneysJourneyIDOperationsOperationID:
    'Reads how something goes that was accepted with 202. Poll it after `pollAfterSeconds` until that is null.',
  getApiV1HeadlessJourneysJourneyIDProfile:
    'Reads what is known of the borrower. `missingFields` names what lenders of this product still need.',
  putApiV1HeadlessJourneysJourneyIDProfile:
    'Adds to the profile or changes it, field by field; what you leave out stays. A refusal names every wrong field and changes nothing. The profile closes when it is sent to lenders.',
  postApiV1HeadlessJourneysJourneyIDProfileSubmit:
    'Sends the complete profile to all eligible lenders, with the consent of the borrower to a bureau inquiry. Offers arrive one after the other.',
  getApiV1HeadlessJourneysJourneyIDOffers:
    'Lists every lender that was asked: with its offer, still awaited, or why it makes none. Offers of one lender that differ are entries of their own.',
  getApiV1HeadlessJourneysJourneyIDOffersOfferID:
    'Reads an offer in full: price, charges, schedule, documents to be shown, branches of a gold loan, and the limits of amount and term.',
  postApiV1HeadlessJourneysJourneyIDOffersOfferIDProceed:
    'Says that the borrower wants this offer and has been shown its Key Facts Statement. The journey is locked to it; other offers cannot be chosen any more. Repeating it changes nothing.',
  postApiV1HeadlessJourneysJourneyIDOffersOfferIDReject:
    'Turns an offer down, with the stage and the reason as your app names them. Turning down the chosen offer, or the last one that could be chosen, ends the journey.',
  postApiV1HeadlessJourneysJourneyIDOffersOfferIDLoanAmount:
    'Sets the amount that the borrower wants, within the limits of the offer, before proceeding with it.',
  getApiV1HeadlessJourneysJourneyIDOffersOfferIDSteps:
    'Reads the five steps between the choice and the money: what each waits for, and a link where it has a page of the lender.',
  getApiV1HeadlessJourneysJourneyIDOffersOfferIDStepsKyc:
    'Reads the KYC step with the link to its page. Open the link in a browser; coming back proves nothing.',
  getApiV1HeadlessJourneysJourneyIDOffersOfferIDStepsKycStatus:
    'Reads how KYC stands by the proof of its provider, for a screen that waits for it.',
  getApiV1HeadlessJourneysJourneyIDOffersOfferIDStepsBankMandate:
    'Reads whether the lender asks for the account, verifies it, or has found it wrong.',
  postApiV1HeadlessJourneysJourneyIDOffersOfferIDStepsBankMandate:
    'Sends the account for the disbursal and the instalments to the lender, who verifies it. A wrong account can be sent again.',
  getApiV1HeadlessJourneysJourneyIDOffersOfferIDStepsEMandate:
    'Reads the mandate step with the link to the page on which the borrower allows the debits.',
  getApiV1HeadlessJourneysJourneyIDOffersOfferIDStepsLoanAgreement:
    'Reads the agreement step with the link to the page on which the borrower signs.',
  postApiV1HeadlessJourneysJourneyIDOffersOfferIDStepsLoanAgreementReturn:
    'Says that the borrower is back from the page of the agreement. A lender that does not report the signature is then asked to go on after five seconds instead of two minutes. Coming back proves nothing: read the step.',
  getApiV1HeadlessJourneysJourneyIDAaSessions:
    'Lists the consents to share bank data that lenders ask for, before an offer or after the sanction.',
  postApiV1HeadlessJourneysJourneyIDAaSessions:
    'Gets the consent session of an offer. `aaID` names another handle of the borrower where the lender did not know the first one.',
  getApiV1HeadlessJourneysJourneyIDAaSessionsAaSessionID:
    'Reads one consent session and what the borrower can do about it.',
  postApiV1HeadlessJourneysJourneyIDAaSessionsAaSessionIDRedirect:
    'Makes a link to the account aggregator. It is good for three minutes; ask for another one as long as nothing is decided.',
  postApiV1HeadlessJourneysJourneyIDAaSessionsAaSessionIDComplete:
    'Hands over what the way back from the aggregator carried. The platform asks the aggregator itself and believes nothing else.',
  postApiV1HeadlessJourneysJourneyIDAaSessionsAaSessionIDReconcile:
    'Asks the aggregator once more, for a borrower who came back without an answer.',
  postApiV1HeadlessJourneysJourneyIDPostDisbursalStatus:
    'Asks the lender how the loan stands. The operation ends when the lender has answered; the journey then shows it.',
  postApiV1HeadlessJourneysJourneyIDPostDisbursalForeclosure:
    'Asks the lender for a page on which the borrower repays the whole loan. The link appears in `servicing` of the journey.',
  postApiV1HeadlessJourneysJourneyIDPostDisbursalPrePartPayment:
    'Asks the lender for a page on which the borrower repays a part early. The link appears in `servicing` of the journey.',
  postApiV1HeadlessJourneysJourneyIDPostDisbursalMissedEmiPayment:
    'Asks the lender for a page on which the borrower pays an instalment that is overdue. A lender that knows of none refuses, and the operation says so.',
  postApiSandboxJourneysJourneyIDAdvance:
    'Lets the sandbox play the borrower, the lender and the providers until the journey has reached a status. It goes on in the background and never writes a status itself.',
}

type Examples = Record<string, Pick<OperationText, 'request' | 'answer'>>

/** Requests and answers by the name of their operation, as the sandbox gave them; long lists are cut to their first entry. */
export const examples: Examples = JSON.parse(readFileSync(join(import.meta.dirname, 'api-examples.json'), 'utf8'))

export const texts: Record<string, OperationText> = Object.fromEntries(
  Object.entries(descriptions).map(([id, description]) => [id, { description, ...examples[id] }]),
)
