// The words of the papers of a loan in Bengali.
import type { PaperTexts } from './paper-text-en.ts'

export const bengali: PaperTexts = {
  titles: { statement: 'অ্যাকাউন্টের স্টেটমেন্ট', schedule: 'কিস্তির তালিকা' },
  facts: { borrower: 'ঋণগ্রহীতা', loan: 'লোন নম্বর', account: 'লোন অ্যাকাউন্ট', asOf: 'তারিখ' },
  asOf: (day) => `${day}। সব পরিমাণ ভারতীয় টাকায় (₹)।`,
  source: (lender) =>
    `এই হিসাব ${lender}-এর, যারা এই অ্যাকাউন্ট রাখে। বকেয়া নেই সার্টিফিকেট বা সুদের সার্টিফিকেটের মতো তাদের নিজস্ব কাগজ ${lender}-এর কাছে চান।`,
  statement: {
    outstanding: 'বাকি',
    parts: ['আসল', 'দেয় হওয়া সুদ', 'জরিমানা', 'অন্য চার্জ', 'মোট বাকি', 'তার মধ্যে বকেয়া'],
    payments: 'দেওয়া ও পাওয়া টাকা',
    head: ['তারিখ', 'পদ্ধতি', 'অবস্থা', 'ব্যাঙ্ক রেফারেন্স', 'পরিমাণ'],
    paidOut: 'আপনাকে দেওয়া',
    states: {
      PENDING_VERIFICATION: 'খোঁজা হচ্ছে',
      SUBMITTED: 'ব্যাঙ্কে পাঠানো হয়েছে',
      PROCESSING: 'পথে আছে',
      FAILED: 'হয়নি',
      POSTED: 'পাওয়া গেছে',
      REVERSED: 'ফিরিয়ে নেওয়া হয়েছে',
    },
  },
  schedule: {
    head: ['নং', 'দেওয়ার তারিখ', 'আসল', 'সুদ', 'চার্জ', 'কিস্তি', 'শোধ', 'অবস্থা'],
    states: { DUE: 'দেয়', PART_PAID: 'আংশিক শোধ', PAID: 'শোধ', OVERDUE: 'বকেয়া' },
    note: 'মাঝে কিছু টাকা শোধ করলে সেই দিন থেকে তালিকা বদলে যায়। জরিমানা থাকলে তা কিস্তির সঙ্গে আলাদা দিতে হয় এবং অ্যাকাউন্টের স্টেটমেন্টে লেখা থাকে।',
  },
  agreement: {
    title: 'লোন চুক্তি',
    between: 'পক্ষ',
    lender: 'ঋণদাতা',
    borrower: 'ঋণগ্রহীতা',
    pan: 'ঋণগ্রহীতার PAN',
    application: 'আবেদন',
    loan: 'লোন',
    offer: 'অফার',
    accepted: 'গ্রহণের সময়',
    theLoan: 'লোন',
    term: 'শর্ত',
    amount: 'লোনের পরিমাণ',
    paidOut: 'ঋণগ্রহীতাকে দেওয়া টাকা',
    interest: 'সুদ',
    fixed: 'স্থির',
    interestOf: (rate, type) => `বছরে ${rate}, ${type}`,
    apr: 'বার্ষিক শতকরা হার (APR)',
    totalInterest: 'মোট সুদ',
    fee: 'কর সহ প্রসেসিং ফি',
    otherUpfront: 'শুরুর অন্য চার্জ',
    instalments: 'কিস্তি',
    instalmentsOf: (count, amount) => `${count}টি সাপ্তাহিক কিস্তি, প্রতিটি ${amount}; শেষ কিস্তি হিসাব অনুযায়ী বদলায়`,
    keyFacts: 'মূল তথ্য বিবরণী (KFS)',
    conditions: 'নিয়ম ও শর্ত',
    agreed:
      'ঋণগ্রহীতা মূল তথ্য বিবরণী পড়েছেন এবং এই শর্তে এই লোন নিচ্ছেন। ঋণগ্রহীতা যে ম্যান্ডেট নথিভুক্ত করেছেন, তার মাধ্যমে কিস্তি কাটা হয়। উপরে উল্লিখিত মূল তথ্য বিবরণী এবং শর্ত এই চুক্তির অংশ।',
  },
}
