// Makes password hashing cheap in this process, because few tests depend on the real cost.
import { passwordCost } from '#kit/crypto/password.ts'

Object.assign(passwordCost, { memory: 64, passes: 1 })
