// What borrowers are written about a complaint, and what officers begin their answers with, in Bengali.
import type { ComplaintTemplate } from '#contract/console/complaint-lists.ts'
import type { BorrowerText } from './text-en.ts'

export const borrowerTexts: Record<BorrowerText, string> = {
  subject: 'আপনার অভিযোগ {number}',
  greeting: 'প্রিয় {name},',
  greetingUnnamed: 'প্রিয় গ্রাহক,',
  acknowledged: `আপনার অভিযোগ আমরা পেয়েছি। এর নম্বর {number}: এটি যত্ন করে রাখুন।

এর দায়িত্বে আছেন {officer}। প্রথম উত্তর {firstAnswer}-এর মধ্যে পাবেন, আর {resolution}-এর মধ্যে আমাদের এর সমাধান করতে হবে।

আরও কিছু জানাতে এই ই-মেলের উত্তর দিন।`,
  acknowledgedLender: `আপনার অভিযোগ আমরা পেয়েছি। এর নম্বর {number}: এটি যত্ন করে রাখুন।

এটি আপনার লোন নিয়ে, তাই আমরা এটি {lender}-কে পাঠিয়েছি, আর আপনি যাতে উত্তর পান তা আমরা দেখি: প্রথম উত্তর {firstAnswer}-এর মধ্যে, সমাধান {resolution}-এর মধ্যে। আমাদের দিক থেকে দায়িত্বে আছেন {officer}।

আরও কিছু জানাতে এই ই-মেলের উত্তর দিন।`,
  footer: `--
অভিযোগ {number}। আরও কিছু জানাতে এই ই-মেলের উত্তর দিন।
অভিযোগ নিষ্পত্তি অফিসার: {officer}, {phone}`,
  signature: `{signer}
Lendloom`,
  resolvedFooter: `এতে না মিটলে {reopen}-এর মধ্যে এই ই-মেলের উত্তর দিন: অভিযোগ আবার খোলা হবে, আর আপনি চাইলে সেটি আমাদের নোডাল অফিসার {nodal}-এর কাছে পাঠাতে বলতে পারেন।`,
  escalated: `আপনার অভিযোগ {number} আমাদের ঠিক করা সময়ের মধ্যে মেটেনি, তাই এখন সেটি আমাদের নোডাল অফিসার {nodal}-এর কাছে আছে: {nodalPhone}, {nodalEmail}। দেরির জন্য আমরা দুঃখিত।`,
  escalatedByHand: `আপনার অভিযোগ {number} আমাদের নোডাল অফিসার {nodal}-এর কাছে পাঠানো হয়েছে, তিনি সিদ্ধান্ত নেবেন: {nodalPhone}, {nodalEmail}।`,
  ombudsman: `এখন আপনি অভিযোগ {number} রিজার্ভ ব্যাঙ্কের ওম্বাডসম্যানের কাছে নিয়ে যেতে পারেন (রিজার্ভ ব্যাঙ্ক – সমন্বিত ওম্বাডসম্যান প্রকল্প, 2021): https://cms.rbi.org.in সাইটে, ফোন 14448-এ, বা এই ঠিকানায় লিখে: Centralised Receipt and Processing Centre, Reserve Bank of India, 4th Floor, Sector 17, Chandigarh 160017। এর কোনো চার্জ নেই। অভিযোগটি ঋণদাতা {lender}-কে নিয়ে; আমাদের নম্বর {number}-ও লিখবেন।`,
  ombudsmanPlatform: `এখন আপনি অভিযোগ {number} রিজার্ভ ব্যাঙ্কের ওম্বাডসম্যানের কাছে নিয়ে যেতে পারেন (রিজার্ভ ব্যাঙ্ক – সমন্বিত ওম্বাডসম্যান প্রকল্প, 2021): https://cms.rbi.org.in সাইটে, ফোন 14448-এ, বা এই ঠিকানায় লিখে: Centralised Receipt and Processing Centre, Reserve Bank of India, 4th Floor, Sector 17, Chandigarh 160017। এর কোনো চার্জ নেই। আমাদের নম্বর {number}-ও লিখবেন।`,
  closed: `অভিযোগ {number} বন্ধ করা হয়েছে। একই সমস্যা আবার হলে {reopen}-এর মধ্যে এই ই-মেলের উত্তর দিন।`,
  lenderAnswers: '{lender}-এর উত্তর:',
  merged: `আপনার অভিযোগ {number} ও অভিযোগ {other} একই বিষয়ে। আমরা দুটিই {other}-এ এগিয়ে নিয়ে যাব।`,
}

export const templates: Record<ComplaintTemplate, string> = {
  WORKING: `আপনি যা লিখেছেন তা আমরা খতিয়ে দেখছি। {resolution}-এর মধ্যে উত্তর দিতে পারব বলে আশা করি; বেশি সময় লাগলে আগেই জানাব।`,
  ASK: `এগোতে আপনার কাছ থেকে একটি তথ্য দরকার: 

এই ই-মেলের উত্তর দিন, বা আপনার লোনের পেজে লিখুন।`,
  SENT_TO_LENDER: `আপনার অভিযোগের উত্তর {lender}-এর দেওয়ার কথা। আপনি যা পাঠিয়েছেন সবই আমরা তাদের পাঠিয়েছি, আর উত্তর না আসা পর্যন্ত কয়েক দিন পরপর জিজ্ঞাসা করি। {resolution}-এর মধ্যে আমরা আপনাকে জানাব।`,
  UPHELD: `আপনি ঠিকই বলেছেন, আমরা দুঃখিত। 

এর জন্য আমরা যা করেছি: `,
  NOT_UPHELD: `আমরা এটি যত্ন করে দেখেছি, এবং এটি সম্মত শর্ত অনুযায়ী আছে: 

আপনি এতে একমত না হলে এই ই-মেলের উত্তর দিন।`,
  REFUND: `যে অ্যাকাউন্ট থেকে কিস্তি কাটা হয়, {lender} সেখানে ₹ ফেরত দিচ্ছে। পৌঁছতে সাত কাজের দিন পর্যন্ত লাগতে পারে।`,
  PRIVACY: `আপনার সম্পর্কে আমরা যা রেখেছি, তা কোথা থেকে এসেছে, আর কার সঙ্গে শেয়ার করা হয়েছে: 

আইন যতটা মুছতে দেয় ততটা আমরা মুছে দিয়েছি।`,
  BLANK: '',
}
