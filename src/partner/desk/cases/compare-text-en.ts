// The texts for comparing two people or two names.
export const compareTexts = {
  who: {
    title: 'Is this a known borrower?',
    list: 'Possible duplicates',
    why: 'A check could not say whether these applicants are borrowers whom we know. Nothing goes on for them until somebody decides.',
    empty: 'No applicant waits to be compared.',
    applicant: 'Applicant',
    known: 'Known borrower',
    nobody: 'The check names no borrower whom this applicant resembles.',
    rule: 'A PAN belongs to one person, and a person has one. PAN and mobile are shown by their last four; whether they are the same is compared in full.',
    SAME: 'The same person',
    DIFFERENT: 'Two different people',
    follows: {
      SAME: 'Their loans and applications count together from the next check on.',
      DIFFERENT: 'The applicant is checked for themselves; with the PAN of the known borrower they are declined.',
    },
    again:
      'The platform was answered that a review is needed. When it checks this applicant again, it is answered by what was decided here.',
  },
  account: {
    title: 'Is this the borrower’s account?',
    why: 'The names are written in scripts that a rule cannot compare for sure. The transfer waits until somebody decides.',
    borrower: 'Borrower',
    registered: 'Owner of the account',
    SAME: 'The same name',
    DIFFERENT: 'Another name',
    follows: {
      SAME: 'The transfer goes on.',
      DIFFERENT: 'The transfer fails, and the borrower needs another account.',
    },
  },
  decide: 'Decide',
  decision: 'Decision',
  reason: 'Why, for the file',
  fields: { name: 'Name', pan: 'PAN', bornOn: 'Born', mobile: 'Mobile' },
  field: 'Field',
  match: 'Match',
  same: 'same',
  differs: 'differs',
  decided: 'Somebody has decided this already.',
}
