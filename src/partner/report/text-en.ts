// The words of the reports, in English.
import type { FigureName } from './counts.ts'

export const reportTexts = {
  title: 'Reports',
  returns: 'Figures for the regulator’s returns',
  returnsAbout: 'Both days count. What was taken back is not counted.',
  figures: {
    received: 'Applications received',
    offered: 'Applications that were made an offer',
    accepted: 'Offers accepted',
    rejected: 'Applications rejected',
    stopped: 'Applications stopped after acceptance',
    lapsed: 'Applications lapsed',
    DISBURSEMENT: 'Loans paid out, with the amount lent',
    RECEIPT: 'Loans that paid, with the amount received',
    CLOSED: 'Loans closed',
    CLOSED_EARLY: 'Of them before their term',
    FEE_RETURN: 'Cooling-off exits, with fees given back',
    PENALTY: 'Loans with penal charges, with their amount',
    WAIVER: 'Loans with a waiver, with the amount waived',
    REFUND: 'Loans with money returned, with its amount',
    WRITE_OFF: 'Loans written off, with the amount',
    RECOVERED: 'Loans with recoveries after write-off, with the amount',
  } satisfies Record<FigureName, string>,
  book: 'The book at the end of',
  noBook: 'This day was not ended yet: choose one before today for the book.',
  borrowers: 'Borrowers who owe principal now',
  nonPerforming: 'Of them with loans that are non-performing',
  complaints: 'Complaints are counted by the platform, in its console under Grievances.',
  bureau: 'Report to credit bureaus',
  bureauAbout:
    'Every loan that runs, and those closed since the day below, as it stands after the last day’s end. The file has names, PAN and addresses: keep it as such.',
  closedSince: 'Closed loans since',
  notEnded: 'No business day was ended yet, so there is nothing to report.',
}
