// Name matching: spelling variants of one person match, other names do not.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compareNames, isSameName } from './name-match.ts'

const pairs = (text: string): [string, string][] =>
  text.split(';').map(
    (pair) =>
      pair
        .trim()
        .split('=')
        .map((each) => each.trim()) as [string, string],
  )

test('D3 §2.3: spelling variants of the borrower’s name match', () => {
  const same =
    'Asha Verma=ASHA VERMA; Asha Verma=VERMA ASHA; Asha Rani Verma=ASHA VERMA; A Verma=ASHA VERMA; Smt. Asha Verma=Asha  Verma; Renée Dsouza=RENEE DSOUZA; Asha=ASHA'
  for (const [one, other] of pairs(same)) {
    assert.ok(isSameName(one, other), `${one} = ${other}`)
    assert.ok(isSameName(other, one), `${other} = ${one}`)
  }
})

test('D3 §2.3: another person’s name does not match', () => {
  const differentPairs =
    'Asha Verma=PRAKASH TANDON; Asha Verma=ASHA SHARMA; Asha Verma=ANIL VERMA; Asha=ASHA VERMA; A V=ASHA VERMA; =ASHA; Mr=MR'
  for (const [one, other] of pairs(differentPairs)) {
    assert.ok(!isSameName(one, other), `${one} is not ${other}`)
    assert.ok(!isSameName(other, one), `${other} is not ${one}`)
  }
})

test('D3 §2.3: a name in an Indian script matches its usual Latin spellings, in any word order', () => {
  const same =
    'आशा कुमार=ASHA KUMAR; राजेश शर्मा=Sharma Rajesh; मोहम्मद अब्दुल रहमान=Mohammad Abdul Rahman; लक्ष्मी नारायणन=Lakshmi Narayanan; सुनीता चौधरी=Suneeta Chaudhary; गुरप्रीत सिंह=GURPREET SINGH; ஆஷா குமார்=Asha Kumar; রহিম=Rahim; పవన్ కుమార్ రెడ్డి=Pawan Kumar Reddy; ಅನಿಲ್ ಕುಮಾರ್=Anil Kumar; മോഹൻ=Mohan; ગોવિંદ પટેલ=Govind Patel; ଚନ୍ଦ୍ର=Chandra; आशा वर्मा=आशा वर्मा'
  for (const [one, other] of pairs(same)) {
    assert.equal(compareNames(one, other), 'SAME', `${one} = ${other}`)
    assert.equal(compareNames(other, one), 'SAME', `${other} = ${one}`)
  }
})

test('D3 §2.3: an uncertain match is neither accepted nor rejected', () => {
  const uncertainPairs =
    'आशा कुमार=Isha Kumar; कमल=Kamala; रमा=Ram; राम=Rama; नारायणन=Narayan; कहान=Khan; चौधरी=Choudhary; ரமேஷ் சுப்பிரமணியன்=Ramesh Subramanian; लक्ष्मी देवी=Lakshmi; आशा कुमार=आशा कुमारी; आशा=ஆஷா; محمد علی=Mohammad Ali; Иван=Ivan; आशा कुमार=PRAKASH TANDON; आशा='
  for (const [one, other] of pairs(uncertainPairs)) {
    assert.equal(compareNames(one, other), 'UNCERTAIN', `${one}, ${other}`)
    assert.equal(compareNames(other, one), 'UNCERTAIN', `${other}, ${one}`)
  }
  assert.deepEqual([compareNames('Ørsted Kumar', 'ORSTED KUMAR'), compareNames('Asha', 'Isha')], ['SAME', 'DIFFERENT'])
})
