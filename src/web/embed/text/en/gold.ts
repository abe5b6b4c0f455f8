// What the page says in English of a loan on gold: the gold itself, the branches, the visit.
export const gold = {
  'progress.visit': 'Visit',

  'profile.gold': 'Your gold, and where you live',
  'profile.gold.lead': 'From this lenders work out how much they can lend you, and which branches are near you.',
  'field.jewelleryWeightGrams': 'Weight of your gold, in grams',
  'hint.jewelleryWeightGrams': 'All pieces together, without stones. A rough figure is enough: the branch weighs it.',
  'wrong.jewelleryWeightGrams': 'Enter the weight in grams, in digits, such as 24.5',
  'field.purity': 'Purity of your gold',
  'hint.purity':
    'Most jewellery is 22K. Look at the hallmark: 22K916 is 22K, 18K750 is 18K. If your pieces differ, choose the lowest.',
  'field.purity.24K': '24K',
  'field.purity.22K': '22K',
  'field.purity.21K': '21K',
  'field.purity.18K': '18K',
  'field.purity.14K': '14K',
  'field.purity.9K': '9K',
  'wrong.purity': 'Choose the purity of your gold',
  'field.userType': 'Who takes the loan?',
  'field.userType.individual': 'I do, as a person',
  'field.userType.non-individual': 'A firm or other body',
  'wrong.userType': 'Choose who takes the loan',
  'field.constitution': 'What kind of firm or body is it?',
  'hint.constitution': 'For example partnership, private limited company, trust',
  'wrong.constitution': 'Enter what kind of firm or body it is',

  'terms.ltv': 'Loan to value (LTV)',
  'terms.ltv.why': '{rate} of your gold’s value',
  'terms.ltv.most': 'up to {rate} of your gold’s value',
  'branch.takes': 'Where you bring the gold',
  'branch.count': { one: 'One branch', other: '{count} branches' },
  'branch.count.here': { one: 'One branch, in your area', other: '{count} branches, the nearest in your area' },
  'branch.count.far': {
    one: 'One branch, about {km} km away',
    other: '{count} branches, the nearest about {km} km away',
  },
  'branch.here': 'in your area',
  'branch.far': 'about {km} km away',
  'branch.pin': 'PIN\u00a0{pin}',

  'end.NOT_OFFERED.GOLD_LOAN':
    'This does not mean it stays so. Lenders decide anew each time; more gold, or purer gold, can help.',
  'end.REJECTED.GOLD_LOAN':
    'No loan was taken, and you owe nothing. Gold you left at the branch is given back to you there.',
} as const
