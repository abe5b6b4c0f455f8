// English texts of the pages that compare two people or two names.
export const compareTexts = {
  duplicates: {
    title: 'Is this a known borrower?',
    list: 'Possible duplicates',
    why: 'An applicant appears here when a check of the PAN, name, date of birth and mobile number cannot tell whether the person is an existing borrower. The application waits until you decide.',
    empty: 'No applicants to compare.',
    applicant: 'Applicant',
    known: 'Known borrower',
    noneFound: 'The check asked for a review, but found no borrower who resembles this applicant.',
    titleWithoutKnown: 'Check this applicant',
    notKnown: 'Not a known borrower',
    effectWithoutKnown:
      'From the next check, the applicant counts as a new borrower. Until you decide, the application waits.',
    waiting: 'Waiting',
    comparedWith: 'Compared with',
    noSimilar: 'No similar borrower',
    rule: 'Each person has one PAN. You see the last four characters of PAN and mobile, and the year of birth; the match compares them in full.',
    SAME: 'The same person',
    DIFFERENT: 'Two different people',
    effects: {
      SAME: 'From the next check, their loans and applications count together.',
      DIFFERENT: 'The applicant is checked separately, and is declined if they have the PAN of the known borrower.',
    },
    again:
      'The platform was told that a review is needed. It receives this decision when it checks the applicant again.',
  },
  account: {
    title: 'Is this the borrower’s account?',
    why: 'A rule cannot tell whether both names are of one person. The transfer waits until you decide.',
    borrower: 'Borrower',
    registered: 'Account holder',
    SAME: 'The same name',
    DIFFERENT: 'A different name',
    effects: {
      SAME: 'The transfer continues.',
      DIFFERENT: 'The transfer fails, and the borrower needs another account.',
    },
  },
  decide: 'Decide',
  decision: 'Decision',
  reason: 'Reason, for the file',
  fields: { name: 'Name', pan: 'PAN', bornOn: 'Date of birth', mobile: 'Mobile' },
  field: 'Field',
  match: 'Match',
  same: 'same',
  differs: 'differs',
  decided: 'This has already been decided.',
}
