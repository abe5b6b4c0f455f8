// Texts of the reports, in English.
import type { FigureName } from './counts.ts'

export const reportTexts = {
  title: 'Reports',
  returns: 'Figures for the regulator’s returns',
  returnsAbout: 'Both dates are included. Reversals are not counted.',
  figures: {
    received: 'Applications received',
    offered: 'Applications with an offer',
    accepted: 'Offers accepted',
    rejected: 'Applications rejected',
    stopped: 'Applications cancelled after acceptance',
    lapsed: 'Applications expired',
    DISBURSEMENT: 'Loans paid out',
    RECEIPT: 'Loans with receipts',
    CLOSED: 'Loans closed',
    CLOSED_EARLY: 'Of which before the end of the term',
    FEE_RETURN: 'Cooling-off cancellations, with fees refunded',
    PENALTY: 'Loans with penal charges',
    WAIVER: 'Loans with a waiver',
    REFUND: 'Loans with a refund',
    WRITE_OFF: 'Loans written off',
    RECOVERED: 'Loans with recoveries after write-off',
  } satisfies Record<FigureName, string>,
  download: 'Download CSV',
  book: 'Loan book at the close of',
  noBook: 'This day is not closed yet. Choose a day before today for the loan book.',
  borrowers: 'Borrowers who owe principal now',
  nonPerforming: 'Of which with non-performing loans',
  complaints: 'The platform counts complaints: see Grievances in its console.',
  bureau: 'Report to credit bureaus',
  bureauAbout:
    'Every running loan, and every loan closed since the day below, after the close of the last day. The file contains names, PANs and addresses: handle it as confidential.',
  closedSince: 'Closed loans since',
  lastClosed: 'Last closed day:',
  downloadBureau: 'Download the report',
  notEnded: 'No business day is closed yet, so there is nothing to report.',
}
