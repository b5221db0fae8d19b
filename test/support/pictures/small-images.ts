/** Pictures of one pixel, as other programs write them. */
const hex = (text: string) => Buffer.from(text.replace(/\s+/g, ''), 'hex')

export const smallImages: Readonly<Record<'gif' | 'animated' | 'bmp' | 'jpeg' | 'webp', Buffer>> = {
  gif: hex('47494638 3961 0100 0100 80 00 00 000000 ffffff 2c 0000 0000 0100 0100 00 02 02 4401 00 3b'),
  animated: hex(`47494638 3961 0100 0100 80 00 00 000000 ffffff 21 ff 0b 4e45545343415045322e30 03010000 00
    21 f9 04 00000000 00 2c 0000 0000 0100 0100 00 02 02 4401 00 3b`),
  bmp: hex(`424d 3a000000 0000 0000 36000000 28000000 01000000 01000000 0100 1800 00000000 04000000 00000000 00000000
    00000000 00000000 ffffff00`),
  jpeg: hex(`ffd8 ffe0 0010 4a46494600 0101 00 0001 0001 00 00 ffdb 0043 00 ${'01'.repeat(64)} ffc0 000b 08 0001 0001 01 01 11 00
    ffc4 0014 00 01 ${'00'.repeat(15)} 00 ffda 0008 01 01 00 00 3f 00 37 ffd9`),
  webp: hex('52494646 1a000000 57454250 5650384c 0d000000 2f 00000010 0710 1111 888808 00'),
}
