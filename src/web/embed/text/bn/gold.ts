// What the page says in Bengali of a loan on gold: the gold itself, the branches, the visit.
import type { Translated } from '../../text.ts'
import type { gold as english } from '../en/gold.ts'

export const gold: Translated<typeof english> = {
  'progress.visit': 'শাখা',

  'profile.gold': 'আপনার সোনা ও আপনার এলাকা',
  'profile.gold.lead': 'এ থেকে ঋণদাতারা হিসাব করে কত টাকা দিতে পারে, এবং কোন শাখাগুলি আপনার কাছে।',
  'field.jewelleryWeightGrams': 'সোনার ওজন, গ্রামে',
  'hint.jewelleryWeightGrams': 'সব গয়না মিলিয়ে, পাথর বাদে। মোটামুটি ওজনই যথেষ্ট: শাখায় ওজন করা হয়।',
  'wrong.jewelleryWeightGrams': 'ওজন গ্রামে, সংখ্যায় লিখুন, যেমন 24.5',
  'field.purity': 'সোনার বিশুদ্ধতা',
  'hint.purity': 'বেশির ভাগ গয়না 22K। হলমার্ক দেখুন: 22K916 মানে 22K, 18K750 মানে 18K। গয়নাগুলি আলাদা হলে সবচেয়ে কমটি বেছে নিন।',
  'field.purity.24K': '24K',
  'field.purity.22K': '22K',
  'field.purity.21K': '21K',
  'field.purity.18K': '18K',
  'field.purity.14K': '14K',
  'field.purity.9K': '9K',
  'wrong.purity': 'সোনার বিশুদ্ধতা বেছে নিন',
  'field.userType': 'লোন কে নিচ্ছেন?',
  'field.userType.individual': 'আমি, নিজের নামে',
  'field.userType.non-individual': 'ফার্ম বা অন্য সংস্থা',
  'wrong.userType': 'লোন কে নিচ্ছেন বেছে নিন',
  'field.constitution': 'ফার্ম বা সংস্থাটি কী ধরনের?',
  'hint.constitution': 'যেমন পার্টনারশিপ, প্রাইভেট লিমিটেড কোম্পানি, ট্রাস্ট',
  'wrong.constitution': 'ফার্ম বা সংস্থার ধরন লিখুন',

  'terms.ltv': 'সোনার দামের উপর লোন (LTV)',
  'terms.ltv.why': 'আপনার সোনার দামের {rate}',
  'terms.ltv.most': 'আপনার সোনার দামের {rate} পর্যন্ত',
  'branch.takes': 'সোনা কোথায় নিয়ে যাবেন',
  'branch.count': { one: 'একটি শাখা', other: '{count}টি শাখা' },
  'branch.count.here': { one: 'একটি শাখা, আপনার এলাকায়', other: '{count}টি শাখা, সবচেয়ে কাছেরটি আপনার এলাকায়' },
  'branch.count.far': {
    one: 'একটি শাখা, প্রায় {km} কিমি দূরে',
    other: '{count}টি শাখা, সবচেয়ে কাছেরটি প্রায় {km} কিমি দূরে',
  },
  'branch.here': 'আপনার এলাকায়',
  'branch.far': 'প্রায় {km} কিমি দূরে',
  'branch.pin': 'পিন\u00a0{pin}',

  'end.NOT_OFFERED.GOLD_LOAN':
    'এর মানে সবসময় এমনই থাকবে তা নয়। ঋণদাতারা প্রতিবার নতুন করে সিদ্ধান্ত নেয়; বেশি সোনা বা আরও বিশুদ্ধ সোনা থাকলে সুবিধা হতে পারে।',
  'end.REJECTED.GOLD_LOAN': 'কোনো লোন নেওয়া হয়নি, এবং আপনাকে কিছু দিতে হবে না। শাখায় রাখা সোনা আপনাকে সেখানেই ফেরত দেওয়া হয়।',
}
