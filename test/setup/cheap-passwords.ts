// Makes a hash of a password cost next to nothing in this process: what it costs is the subject of few tests.
import { passwordCost } from '#kit/crypto/password.ts'

Object.assign(passwordCost, { memory: 64, passes: 1 })
