// Deletes what the programs never load from node_modules, which must be without development packages.
// node deploy/image/shrink.ts
import { globSync, rmSync } from 'node:fs'

const unused = [
  // Node runs no TypeScript from node_modules.
  '**/*.{ts,mts,cts,map}',
  // The SDK has two builds; Node loads the other one.
  '{@aws-sdk,@smithy,@aws}/*/dist-{es,types}',
  '**/{README,CHANGELOG,HISTORY,readme,changelog}*.md',
  '**/{.github,.gitattributes}',
  // Files for browsers.
  '@cantoo/pdf-lib/dist/*.js',
  // Weights that no document uses (packages/documents/src/pdf-font.ts).
  '@expo-google-fonts/*/{100,200,300,500,600,800,900}*',
]

for (const path of globSync(unused, { cwd: 'node_modules' }))
  rmSync(`node_modules/${path}`, { recursive: true, force: true })
