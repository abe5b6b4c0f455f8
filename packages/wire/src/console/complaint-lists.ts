// Plain lists for complaints: subjects, states and events; shared by page, console and schemas.

/**
 * A borrower's request for which the lender's interface has no message: how a prepayment changes the plan, what repaying
 * the whole loan costs, and stopping an accepted application before its payout (D3 §1).
 */
export const borrowerRequests = ['PART_PAYMENT', 'CLOSING_AMOUNT', 'CANCELLATION'] as const
export type BorrowerRequest = (typeof borrowerRequests)[number]

/** What a prepayment leaves unchanged: the instalment amount (fewer instalments), or the term (smaller instalments). */
export const partPaymentKeeps = ['INSTALLMENT', 'TERM'] as const
export type PartPaymentKeeps = (typeof partPaymentKeeps)[number]

/** Subjects that the lender answers for. */
const lenderCategories = [
  'CHARGES',
  'REPAYMENT',
  'MONEY',
  'DOCUMENTS',
  'CONDUCT',
  'COOLING_OFF',
  ...borrowerRequests,
] as const

/** The subject of a complaint: the lender's topics, and the platform's own. */
export const complaintCategories = [...lenderCategories, 'PRIVACY', 'APP', 'OTHER'] as const
export type ComplaintCategory = (typeof complaintCategories)[number]

/** Whether the borrower requests something instead of complaining. */
export const isRequestCategory = (category: string): boolean =>
  category === 'COOLING_OFF' || borrowerRequests.some((each) => each === category)

/** The subjects of the complaint form. The requests have screens of their own, with the amounts that they decide. */
export const complaintFormCategories = complaintCategories.filter((each) => !isRequestCategory(each))

/** Whether a lender answers for complaints of a category. */
export const isLendersMatter = (category: string): boolean => lenderCategories.some((each) => each === category)

/**
 * NEW: not acknowledged · ACKNOWLEDGED: its number was sent · IN_PROGRESS: an officer works on it ·
 * WAITING_FOR_BORROWER: a question is open · RESOLVED: answered, the borrower may object · CLOSED: ended ·
 * MERGED: continues in another complaint.
 */
export const complaintStatuses = [
  'NEW',
  'ACKNOWLEDGED',
  'IN_PROGRESS',
  'WAITING_FOR_BORROWER',
  'RESOLVED',
  'CLOSED',
  'MERGED',
] as const
export type ComplaintStatus = (typeof complaintStatuses)[number]

/** Where a complaint came from: the borrower's page, a mail, or staff who were called. */
export const complaintOrigins = ['PAGE', 'EMAIL', 'STAFF'] as const
export type ComplaintOrigin = (typeof complaintOrigins)[number]

/** The responsible party: the platform, a lender over the network, or a lender by e-mail. */
export const complaintRoutes = ['PLATFORM', 'LENDER_NETWORK', 'LENDER_MAIL'] as const
export type ComplaintRoute = (typeof complaintRoutes)[number]

/** What the borrower was told in the end, or that the borrower withdrew the complaint. */
export const complaintOutcomes = ['UPHELD', 'PARTLY_UPHELD', 'NOT_UPHELD', 'WITHDRAWN'] as const
export type ComplaintOutcome = (typeof complaintOutcomes)[number]

/** Who wrote an entry of the thread; TENANT is staff of the integrator. */
export const entryAuthors = ['BORROWER', 'OFFICER', 'LENDER', 'TENANT', 'SYSTEM'] as const
export type EntryAuthor = (typeof entryAuthors)[number]

/**
 * WORDS: a message to the other side · QUESTION: to the borrower · RESOLUTION: the outcome · FORWARD: sent to the lender ·
 * NOTE: for colleagues only · UNVERIFIED: a mail from another address · EVENT: a change of state.
 */
export const entryKinds = ['WORDS', 'QUESTION', 'RESOLUTION', 'FORWARD', 'NOTE', 'UNVERIFIED', 'EVENT'] as const
export type EntryKind = (typeof entryKinds)[number]

/** The changes of state that the thread shows. */
export const complaintEvents = [
  'OPENED',
  'ACKNOWLEDGED',
  'ASSIGNED',
  'CATEGORIZED',
  'MATCHED',
  'SENT_TO_LENDER',
  'LENDER_WORKS',
  'LENDER_REFUSED',
  'FIRST_ANSWER_LATE',
  'RESOLUTION_DUE_SOON',
  'ESCALATED',
  'OMBUDSMAN',
  'RESOLVED',
  'CLOSED',
  'REOPENED',
  'MERGED',
  'MERGED_IN',
  'ACCEPTED',
  'DISMISSED',
  'FOLLOWS',
] as const
export type ComplaintEvent = (typeof complaintEvents)[number]

/** Why a complaint went to the nodal officer: its deadline, an officer, or a dissatisfied borrower. */
export const escalationReasons = ['TIME', 'OFFICER', 'NOT_SATISFIED'] as const
export type EscalationReason = (typeof escalationReasons)[number]

/** Templates of officers' answers, in the complaint's language. */
export const complaintTemplates = [
  'WORKING',
  'ASK',
  'SENT_TO_LENDER',
  'UPHELD',
  'NOT_UPHELD',
  'REFUND',
  'PRIVACY',
  'BLANK',
] as const
export type ComplaintTemplate = (typeof complaintTemplates)[number]

/** Complaint officers by level of escalation. */
export const officerLevels = ['OFFICER', 'NODAL'] as const
export type OfficerLevel = (typeof officerLevels)[number]

/** Age ranges of pending complaints, in whole days; the last is open-ended. */
export const ageBands = [
  { from: 0, to: 7 },
  { from: 8, to: 15 },
  { from: 16, to: 30 },
  { from: 31, to: null },
] as const

/** The limits of a message's files; a mail has its own. */
export const maxAttachments = 5
export const maxAttachmentBytes = 5 << 20
/** The field of a form with the files of a message. */
export const attachmentField = 'files'
export const attachmentTypes = ['image/png', 'image/jpeg', 'application/pdf'] as const
