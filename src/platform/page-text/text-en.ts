// What the pages that our server makes say to a borrower in English; every other language has the same texts.

export const english = {
  nothingHere: {
    title: 'Open this page from the app',
    body: 'Applications start in the app or site where you found the loan offer. Go back there and open it again.',
  },

  /** Behind a link to a file, whatever is wrong with it. */
  file: {
    nothing: 'There is nothing here.',
    bug: 'Something went wrong on our side. Please try again.',
  },

  /** The privacy policy, linked where a consent is asked for. */
  privacy: {
    title: 'What happens to your data',
    lead: 'This is what we keep when you apply for a loan on this page, who receives it, and how you take a consent back.',
    parts: (days: number) => [
      {
        heading: 'What we keep',
        text: 'What you enter: name, PAN, date of birth, gender, contact details, work, income, address, the loan you ask for, and the account for the money. Your consents with their words, time and network address. What lenders answer, and what becomes of the loan. Your complaints. We never ask for your Aadhaar number and do not keep it; where you confirm your identity, you do so with the lender.',
      },
      {
        heading: 'How it is kept',
        text: 'Personal details are encrypted one by one in our database, on top of what protects the database itself. Nothing you type is kept in your browser.',
      },
      {
        heading: 'Who receives it',
        text: 'Only after you agree: the lenders that are asked for offers, through the open network for digital commerce (ONDC) or directly. Each is named to you as it is asked. With your consent they fetch your credit report from a credit bureau. After you accept an offer, only its lender and the services that it uses for identity, repayment and signature. Your bank statement goes to a lender only through an account aggregator or by your upload. The app in which you opened this page learns how your application stands, with your details and the offers. Nothing is sold, and nothing is used for advertising.',
      },
      {
        heading: 'Until when',
        text: `An application that you leave alone is closed after ${days} days, and nothing more is sent. Records of applications, consents and complaints stay, so that you and we can show later what was agreed. Of data that is not needed for that you may ask for the erasure: under Help and complaints, choose My personal data. What a lender has received it keeps by its own policy and as the law asks of it.`,
      },
      {
        heading: 'Taking a consent back',
        text: 'Below every screen of your application is Your consents: it shows each consent with its words, when you gave it and to whom. Until you accept an offer you can withdraw it there: the application ends, and no lender is sent anything more. What lenders have already received cannot be called back by us, but you may ask each of them to erase it. After you accept, the lender needs your details for the loan; you can still leave the loan in its cooling-off period. A consent given at an account aggregator is revoked in the app of the aggregator.',
      },
      {
        heading: 'Your rights',
        text: 'You may ask what we keep of you, have it corrected, and complain: under Help and complaints, below every screen. There you also find our grievance officer.',
      },
    ],
  },

  /** In place of a refusal, which is meant for programs. */
  refused: {
    title: 'Nothing to do here',
    backToApp: 'Please go back to your app and continue from there.',
    absent: 'This link has expired or is not complete.',
    invalid: 'This link is not complete.',
    notNow: 'There is nothing to do here at the moment.',
    bug: 'Something went wrong on our side.',
  },

  fundsReturn: {
    title: 'Back from the registrar',
    back: 'Thank you. We are fetching your statement from the registrar now.',
  },
  aggregatorReturn: {
    title: 'Back from the account aggregator',
    back: 'Thank you. We are checking with the account aggregator now.',
    undecided: 'You are back from the account aggregator. Your application shows how it goes on.',
    unknown: 'We could not read this answer. Your application shows how it stands.',
    close: 'You can close this window and go back to your application.',
  },

  /** The way to the aggregator, and another name there. */
  aggregator: {
    title: 'Another name at the account aggregator',
    lead: (refused: string) =>
      `The lender could not find you at the account aggregator as ${refused}. If you are known there by another name, enter it; the lender then asks again.`,
    handle: 'Your handle',
    wrongEnding: (ending: string) => `It must end with ${ending}.`,
    sameAgain: 'It must be another one than the lender could not use.',
    send: 'Ask again',
    requested: 'The lender is asked again',
    requestedLead:
      'This takes a moment. Go back to your app: it shows when the lender wants to see your bank statement.',
    linkExpired: 'This link has expired. Go back to your app and continue from there.',
    ended: 'This application has ended.',
    bug: 'Something went wrong on our side. Please try again.',
  },

  /** The final terms, for a borrower of an app with its own screens. */
  finalTerms: {
    title: 'Your final offer',
    lead: (lender: string) => `${lender} has worked out its final terms. Please read them before you go on.`,
    amount: 'Loan amount',
    paidOut: 'Paid to your account',
    instalment: 'Each instalment',
    times: (amount: string, count: number) => `${amount}, ${count} times`,
    total: 'Total to repay',
    term: 'Term',
    interest: 'Interest',
    interestOf: (rate: string, amount: string) => `${rate} a year, ${amount} in all`,
    apr: 'Annual percentage rate',
    ltv: 'Loan to value',
    ltvOf: (share: string) => `${share} of the gold`,
    fees: 'Fees and charges',
    penal: {
      DELAY: 'When a payment is late',
      OTHER: 'Other penal charges',
      FORECLOSURE: 'When the loan is closed early',
      RATE_CONVERSION: 'When the kind of interest is changed',
    },
    coolOff: 'Cooling-off period',
    days: (count: string) => `${count} days`,
    keyFacts: 'Key Facts Statement',
    conditions: 'Terms and conditions',
    accept: 'Accept and continue',
  },

  /** On the way to a provider and back. */
  verify: {
    done: 'Done',
    doneLead: 'This step is done. Please go back to your app and continue from there.',
    notDone: 'Not done',
    notDoneLead: 'This did not work. Please go back to your app; it says whether you can try again.',
    waiting: 'One moment',
    providerAway: 'The provider does not answer right now.',
    recording: 'The lender is recording your acceptance.',
    checking: 'This is being checked.',
    looksAgain: 'This page looks again by itself.',
  },

  /** A bank statement for the lending partner. */
  statement: {
    title: 'Share your bank statement',
    lead: 'The lender would like to see the statements of the account that you named, for the last six months. They help it to decide how much it can lend.',
    share: 'Share my statement',
    uploadTitle: 'Or send it as a file',
    file: 'The statement of your bank, as a PDF of at most 20 MiB',
    upload: 'Send this file',
    withoutTitle: 'You do not have to',
    withoutWhy: 'You may go on without a statement. The lender may then lend less.',
    goWithout: 'Go on without',
    without: 'Going on without a statement',
    withoutLead: 'Your application goes to the lender without a statement. Please go back to your app.',
    failed: 'The last try did not work. Please share the statement of the account that you named.',
    wrongFile: 'Please choose a PDF of at most 20 MiB that opens without a password.',
    away: 'The service that reads statements does not answer right now. Please try again in a minute.',
  },

  /** A payment to the lending partner. */
  claim: {
    title: 'Tell us about your payment',
    lead: 'Pay by bank transfer or UPI to the account in your Key Facts Statement, then fill this in. Your balance changes when the lender has found the payment.',
    amount: 'Amount paid, in rupees',
    method: 'How',
    reference: 'Reference that your bank shows (UTR)',
    paidOn: 'Day of the payment',
    proof: 'A picture or PDF of it, if you like',
    send: 'Send',
    wrong: {
      amount: 'The amount must be above zero.',
      transactionReference: 'The reference must be the one that your bank shows.',
      paidOn: 'The day must be one of the last sixty days.',
      proof: 'The file must be a PNG, a JPEG or a PDF of at most 5 MiB.',
    },
    wrongSomewhere: 'Something here is not right. Please check it.',
    yours: 'Your payment',
    status: {
      REQUESTED: 'The lender is verifying your payment.',
      LINK_READY: 'The lender is verifying your payment.',
      PAID: 'The lender has received your payment.',
      FAILED: 'The lender could not find this payment.',
      EXPIRED: 'Nothing is left to pay here.',
      DONE: 'Nothing is left to do here.',
    },
    close: 'You can close this page and go back to your app.',
  },

  /** What an indicative offer of the lending partner costs and means. */
  indicative: {
    factsTitle: 'Key facts of an indicative offer',
    termsTitle: 'Terms of the loan',
    notFinal:
      'This offer is indicative. After its review the lender gives final terms with a key facts statement of their own; only those bind you and the lender.',
    lender: 'Lender',
    offer: 'Offer',
    amount: 'Loan amount',
    term: 'Term',
    instalments: 'Instalments',
    instalmentsOf: (count: number, amount: string, last: string) =>
      `${count} weekly instalments of ${amount}, the last one ${last}`,
    interest: 'Interest',
    interestOf: (rate: string, amount: string) => `${rate} a year, fixed, on the reducing balance: ${amount} in all`,
    fee: 'Processing fee, tax included',
    paidOut: 'Paid out to you',
    total: 'Total to be paid',
    apr: 'Annual percentage rate (APR)',
    penal: 'Penal charges',
    none: 'None',
    coolOff: 'Cooling-off period',
    coolOffOf: (days: number) => `${days} days from disbursal, without penalty`,
    officer: 'Grievance officer',
    address: 'Address',
    support: 'Customer support',
    notStated: 'Not stated',
    /** What stands before and behind the link to the key facts. */
    loanOf: (lender: string): [string, string] => [
      `A loan of ${lender}. The amounts, the rate and every charge are in the `,
      '.',
    ],
    keyFacts: 'key facts',
    conditions: (count: number, days: number, penal: string | null) => [
      'The lender pays the net amount to your own bank account once you have accepted its final terms, signed the agreement and set up the mandate. Interest runs from the day of the transfer.',
      `You repay in ${count} weekly instalments by the mandate that you set up.`,
      'You may repay early, in part or in whole, at any time and free of charge.',
      `Within ${days} days from disbursal you may leave the loan by repaying the principal and the interest for the days you had it.`,
      `Penal charges: ${penal ?? 'none'}.`,
    ],
  },

  /** Days in a calendar: the borrower's own, or one that others see too. */
  reminders: {
    name: (lender: string) => `EMIs to ${lender}`,
    due: (amount: string, lender: string) => `EMI of ${amount} to ${lender}`,
    how: (lender: string) => `It is due to ${lender} on this day. Have the amount in your account by then.`,
  },
}

export type PageTexts = typeof english
