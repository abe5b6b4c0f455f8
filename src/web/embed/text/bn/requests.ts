// What the page says in Bengali where the lender is asked in writing: about a part payment, and to stop before the payout.
import type { Translated } from '../../text.ts'
import type { requests as english } from '../en/requests.ts'

export const requests: Translated<typeof english> = {
  'partkeep.title': 'কিছু টাকা আগে দেওয়া: এতে কী বদলাবে?',
  'partkeep.what':
    'আগে দেওয়া টাকা যেদিন পৌঁছয় সেদিন থেকে আপনার নেওয়া লোন কমায়, এবং এর জন্য বাড়তি খরচ নেই। বকেয়া টাকা আগে শোধ হয়। আপনার কিস্তির কী হবে তা আপনি বেছে নেন।',
  'field.partkeep': 'আপনি কত টাকা আগে দেবেন?',
  'hint.partkeep': 'পুরো টাকায়, যা বাকি আছে তার থেকে কম।',
  'wrong.partkeep': 'পুরো টাকায় অঙ্কটি লিখুন',
  'partkeep.most': '{amount}-এর কম লিখুন; প্রায় এতটাই বাকি আছে',
  'partkeep.choose': 'কী একই থাকবে?',
  'partkeep.INSTALLMENT': 'কিস্তির টাকা',
  'partkeep.INSTALLMENT.why': 'কিস্তির সংখ্যা কমে, এবং সুদ সবচেয়ে কম লাগে।',
  'partkeep.INSTALLMENT.figures': {
    one: '{before}টির বদলে প্রায় একটি কিস্তি, এবং {less} কম সুদ।',
    other: '{before}টির বদলে {amount}-এর প্রায় {count}টি কিস্তি, এবং {less} কম সুদ।',
  },
  'partkeep.TERM': 'মেয়াদ',
  'partkeep.TERM.why': 'কিস্তির সংখ্যা একই থাকে, এবং প্রতিটি কিস্তি ছোট হয়।',
  'partkeep.TERM.figures': {
    one: '{before}-এর বদলে প্রায় {amount}-এর একটি কিস্তি, এবং {less} কম সুদ।',
    other: '{before}-এর বদলে প্রায় {amount}-এর {count}টি কিস্তি, এবং {less} কম সুদ।',
  },
  'partkeep.about': 'এগুলি আনুমানিক: টাকা যেদিন আসে, {lender} সেই দিন ধরে হিসাব করে।',
  'partkeep.counts': 'টাকা যেদিন আসে, {lender} সেই দিন ধরে হিসাব করে।',
  'partkeep.ask': '{lender}-কে এটি জানান',
  'partkeep.text.INSTALLMENT': 'আমি {amount} আগে দেব। অনুগ্রহ করে আমার কিস্তির টাকা একই রাখুন, যাতে কিস্তির সংখ্যা কমে।',
  'partkeep.text.TERM': 'আমি {amount} আগে দেব। অনুগ্রহ করে মেয়াদ একই রাখুন, যাতে প্রতিটি কিস্তি ছোট হয়।',
  'cancel.open': 'আমি এই লোন আর চাই না',
  'cancel.title': 'এই আবেদন থামাবেন?',
  'cancel.why':
    'টাকা পাঠানো না হওয়া পর্যন্ত {lender} এটি থামাতে পারে, এবং আপনাকে কিছু দিতে হবে না। আমরা আপনার অনুরোধ সঙ্গে সঙ্গে পাঠিয়ে দিই: আপনি একটি নম্বর পান, এবং উত্তর এখানে দেখা যায়। তার আগে টাকা এসে গেলেও, মত বদলানোর সময়ের মধ্যে আপনি লোন ছাড়তে পারেন।',
  'cancel.yes': '{lender}-কে থামাতে বলুন',
  'cancel.no': 'লোন চালিয়ে যান',
  'cancel.text': 'আমি এই লোন আর চাই না। অনুগ্রহ করে টাকা দেওয়ার আগে আমার আবেদন থামান।',
}
