// What the page says in English where the lender is asked in writing: about a part payment, and to stop before the payout.
export const requests = {
  'partkeep.title': 'Pay a part early: what should it change?',
  'partkeep.what':
    'A part payment repays what you borrowed from the day it comes, and costs nothing extra. Overdue amounts are paid first. You choose what becomes of your instalments.',
  'field.partkeep': 'How much will you pay early, in rupees?',
  'hint.partkeep': 'A whole number, less than what you still owe.',
  'wrong.partkeep': 'Enter a whole amount in rupees',
  'partkeep.most': 'Enter less than {amount}, which is about what you still owe',
  'partkeep.choose': 'What stays the same?',
  'partkeep.INSTALLMENT': 'The instalment',
  'partkeep.INSTALLMENT.why': 'You have fewer instalments, and pay the least interest.',
  'partkeep.INSTALLMENT.figures': {
    one: 'About one instalment instead of {before}, and {less} less interest.',
    other: 'About {count} instalments of {amount} instead of {before}, and {less} less interest.',
  },
  'partkeep.TERM': 'The term',
  'partkeep.TERM.why': 'You have as many instalments, and each is smaller.',
  'partkeep.TERM.figures': {
    one: 'One instalment of about {amount} instead of {before}, and {less} less interest.',
    other: '{count} instalments of about {amount} instead of {before}, and {less} less interest.',
  },
  'partkeep.about': 'These are estimates: {lender} counts by the day on which the money comes.',
  'partkeep.counts': '{lender} counts by the day on which the money comes.',
  'partkeep.ask': 'Ask {lender} for this',
  'partkeep.text.INSTALLMENT':
    'I will pay {amount} early. Please keep my instalment as it is, so that there are fewer instalments.',
  'partkeep.text.TERM':
    'I will pay {amount} early. Please keep the term as it is, so that every instalment is smaller.',
  'cancel.open': 'I no longer want this loan',
  'cancel.title': 'Stop this application?',
  'cancel.why':
    'Until the money is on its way, {lender} can stop it, and you owe nothing. We pass your request on at once: you get a number, and the answer appears here. If the money is paid out before, you can still leave the loan within its cooling-off period.',
  'cancel.yes': 'Ask {lender} to stop it',
  'cancel.no': 'Go on with the loan',
  'cancel.text': 'I no longer want this loan. Please stop my application before it is paid out.',
} as const
