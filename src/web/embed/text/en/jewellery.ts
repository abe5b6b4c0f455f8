// What the page says in English of the pieces of gold, of their value, and of the branch that is chosen.

export const jewellery = {
  'pieces.open': 'Add up your gold piece by piece',
  'pieces.why': 'Each piece, or pieces of one kind together. The sum is entered below.',
  'pieces.line': 'Piece {at}',
  'pieces.kind': 'Kind of piece',
  'pieces.kind.chain': 'Chain',
  'pieces.kind.bangle': 'Bangle',
  'pieces.kind.ring': 'Ring',
  'pieces.kind.necklace': 'Necklace',
  'pieces.kind.earrings': 'Earrings',
  'pieces.kind.coin': 'Coin',
  'pieces.kind.other': 'Another piece',
  'pieces.purity': 'Purity',
  'pieces.count': 'How many',
  'pieces.weight': { one: 'Weight in grams', other: 'Weight of all {count}, in grams' },
  'pieces.weight.each': 'Weight of each, in grams',
  'pieces.each': 'I have weighed one of them',
  'pieces.add': 'Add another piece',
  'pieces.remove': 'Remove',
  'pieces.remove.line': 'Remove piece {at}',
  'pieces.sum': 'All pieces together',
  'pieces.grams': '{grams} g',
  'pieces.all': { one: 'One piece, {purity}', other: '{count} pieces, lowest purity {purity}' },
  'pieces.incomplete': 'Enter weight and purity of every piece.',
  'pieces.coins': 'A lender may take at most 50 g of gold coins from one borrower.',

  'gold.value': 'Your gold is worth about',
  'gold.gram': '{rate} a gram, for the {grams} g you entered',
  'gold.source': 'Worked out from the offer of {lender}: its loan, divided by the share of the value that it lends',
  'gold.tested': 'The branch weighs and tests the gold; that value counts.',

  'branch.road': 'about {time} by road',
  'branch.road.day': 'more than a day by road',
  'branch.distant':
    'Even the nearest branch is far: about {km} km, {road}. An offer of another lender may have one nearer to you.',
  'branch.book':
    'You book the day of your visit with the lender, once you have accepted its final offer. Times by road are estimates.',
  'branch.all': 'Show all {count} branches',
  'field.branchID': 'Which branch will you bring the gold to?',
  'hint.branchID': 'Nearest first. Distances are rough: they are worked out from your PIN code.',
  'wrong.branchID': 'Choose one of the branches',

  'visit.branch': 'Branch',
  'visit.agent': 'Ask for',
  'visit.phone': 'Phone',
  'visit.call': 'Call {phone}',
  'gold.kept': 'Your gold',
  'gold.kept.where': '{lender} keeps your gold at the branch until the loan is repaid.',
  'gold.kept.back':
    'Once you have repaid, the branch gives it back, at the latest within seven working days. Bring the receipt you got for it.',
} as const
