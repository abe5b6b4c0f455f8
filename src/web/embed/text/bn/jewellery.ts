// What the page says in Bengali of the pieces of gold, of their value, and of the branch that is chosen.
import type { Translated } from '../../text.ts'
import type { jewellery as english } from '../en/jewellery.ts'

export const jewellery: Translated<typeof english> = {
  'pieces.open': 'একটি একটি করে গয়না যোগ করুন',
  'pieces.why': 'প্রতিটি গয়না আলাদা, বা এক ধরনের গয়না একসঙ্গে। যোগফল নীচে বসে যায়।',
  'pieces.line': 'গয়না {at}',
  'pieces.kind': 'গয়নার ধরন',
  'pieces.kind.chain': 'চেন',
  'pieces.kind.bangle': 'চুড়ি বা বালা',
  'pieces.kind.ring': 'আংটি',
  'pieces.kind.necklace': 'হার',
  'pieces.kind.earrings': 'কানের দুল',
  'pieces.kind.coin': 'মুদ্রা',
  'pieces.kind.other': 'অন্য গয়না',
  'pieces.purity': 'বিশুদ্ধতা',
  'pieces.count': 'কতগুলি',
  'pieces.weight': { one: 'ওজন, গ্রামে', other: '{count}টির মোট ওজন, গ্রামে' },
  'pieces.weight.each': 'প্রতিটির ওজন, গ্রামে',
  'pieces.each': 'আমি এর একটি ওজন করেছি',
  'pieces.add': 'আরও একটি গয়না যোগ করুন',
  'pieces.remove': 'সরান',
  'pieces.remove.line': 'গয়না {at} সরান',
  'pieces.sum': 'সব গয়না মিলিয়ে',
  'pieces.grams': '{grams} গ্রাম',
  'pieces.all': { one: 'একটি গয়না, {purity}', other: '{count}টি গয়না, সবচেয়ে কম বিশুদ্ধতা {purity}' },
  'pieces.incomplete': 'প্রতিটি গয়নার ওজন ও বিশুদ্ধতা লিখুন।',
  'pieces.coins': 'ঋণদাতা একজনের থেকে সর্বাধিক 50 গ্রাম সোনার মুদ্রা নিতে পারে।',

  'gold.value': 'আপনার সোনার দাম প্রায়',
  'gold.gram': 'প্রতি গ্রামে {rate}, আপনার জানানো {grams} গ্রামের জন্য',
  'gold.source': '{lender} এর অফার থেকে হিসাব করা: লোনের টাকাকে, দামের যে অংশ লোন দেয় তা দিয়ে ভাগ করে',
  'gold.tested': 'শাখায় সোনা ওজন ও পরীক্ষা করা হয়; সেই দামই ধরা হয়।',

  'branch.road': 'সড়কপথে প্রায় {time}',
  'branch.road.day': 'সড়কপথে এক দিনের বেশি',
  'branch.distant': 'সবচেয়ে কাছের শাখাও দূরে: প্রায় {km} কিমি, {road}। অন্য ঋণদাতার শাখা আরও কাছে থাকতে পারে।',
  'branch.book': 'চূড়ান্ত অফার মেনে নেওয়ার পরে ঋণদাতার পেজে যাওয়ার দিন ঠিক করবেন। সড়কপথের সময় আনুমানিক।',
  'branch.all': 'সব {count}টি শাখা দেখান',
  'field.branchID': 'আপনি সোনা কোন শাখায় নিয়ে যাবেন?',
  'hint.branchID': 'সবচেয়ে কাছেরটি আগে। দূরত্ব মোটামুটি: আপনার পিন কোড থেকে হিসাব করা।',
  'wrong.branchID': 'একটি শাখা বেছে নিন',
}
