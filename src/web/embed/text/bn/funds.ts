// What the page says in Bengali of the mutual-fund units that secure a loan.
import type { Translated } from '../../text.ts'
import type { funds as english } from '../en/funds.ts'

export const funds: Translated<typeof english> = {
  'funds.line': 'ক্রেডিট লাইন',
  'funds.term': 'টার্ম লোন',
  'funds.secured': { one: 'একটি ফান্ডের ইউনিট বন্ধক রেখে', other: '{count}টি ফান্ডের ইউনিট বন্ধক রেখে' },
  'funds.page': 'বাকি কাজ ঋণদাতার নিজের পেজে শেষ করবেন।',
  'funds.needed': 'এই টাকার জন্য যে ইউনিট বন্ধক রাখবেন',
  'funds.pledged': 'আপনি যে ইউনিট বন্ধক রাখছেন',
  'funds.own': 'ফান্ড নিজে বেছে নিন',
  'funds.share': 'বদলে প্রতিটি ফান্ডের কিছু অংশ বন্ধক রাখুন',
  'funds.pick': 'প্রতিটি ফান্ডের যে ইউনিট বন্ধক রাখবেন',
  'funds.most': 'সর্বাধিক {most}',
  'funds.carried': 'এই ইউনিটে যত লোন নিতে পারেন',
  'funds.carried.why': 'শেষ জানা দাম অনুযায়ী। এর পরে ঋণদাতা সঠিক সংখ্যা জানায়।',
  'funds.wrong': '0 থেকে {most} পর্যন্ত ইউনিটের সংখ্যা লিখুন',
  'funds.fund': 'ফান্ড',
  'funds.units': 'ইউনিট',
  'funds.folio': 'ফোলিও\u00a0{folio}',
  'funds.ltv': 'দামের {rate} লোন দেওয়া হয়',
  'funds.yours': 'ইউনিট আপনারই থাকে। বন্ধক থাকা পর্যন্ত সেগুলি বিক্রি করতে পারবেন না।',
}
