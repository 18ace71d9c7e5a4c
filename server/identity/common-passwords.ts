/** The commonest passwords of eight characters and more, as every published list of leaks has them. */
export const COMMON_PASSWORDS: ReadonlySet<string> = new Set(
  `
12345678 123456789 1234567890 12345678910 0123456789 987654321 9876543210 87654321 11111111 111111111 1111111111
00000000 000000000 0000000000 22222222 55555555 66666666 77777777 88888888 99999999 99999999 12341234 12344321
11223344 1122334455 112233445566 123123123 123321123 12121212 13131313 123654789 147258369 159753159 741852963
789456123 789789789 456456456 password password1 password12 password123 password1234 password1! password! password0
passw0rd passw0rd1 p@ssword p@ssw0rd p@ssw0rd1 p@ssw0rd123 pa$$word pa$$w0rd passwort passwort1 motdepasse contrasena
qwertyui qwertyuiop qwerty12 qwerty123 qwerty1234 qwerty12345 1qaz2wsx 1q2w3e4r 1q2w3e4r5t 1q2w3e4r5t6y q1w2e3r4
q1w2e3r4t5 zaq12wsx zaq1zaq1 qazwsxedc qazwsx123 1qazxsw2 asdfghjk asdfghjkl asdfasdf asdf1234 zxcvbnm1 zxcvbnm123
1234qwer qwer1234 abcd1234 abc12345 abcdefgh abcdefg1 aa123456 aa12345678 a1234567 a12345678 a123456789 abc123456
1a2b3c4d aaaaaaaa admin123 admin1234 admin12345 adminadmin administrator root1234 rootroot toor1234 changeme
changeme1 changeme123 letmein1 letmein123 welcome1 welcome12 welcome123 welcome1234 welcome2024 welcome2025 default1
testtest test1234 test12345 testing1 testing123 guest123 guestguest user1234 username login123 master123 secret123
iloveyou iloveyou1 iloveyou2 ilovegod sunshine sunshine1 princess princess1 football football1 baseball baseball1
basketball superman superman1 batman123 spiderman starwars pokemon1 pokemon123 trustno1 whatever whatever1 computer
computer1 internet internet1 michelle jennifer jessica1 danielle jonathan benjamin samantha victoria charlie1
michael1 jordan23 liverpool liverpool1 chelsea1 arsenal1 manchester barcelona realmadrid mercedes ferrari1 corvette
butterfly chocolate blink182 linkinpark metallica slipknot nirvana1 midnight moonlight diamond1 diamonds elephant
dolphin1 dolphins cheese123 banana123 summer12 summer123 summer2024 summer2025 winter123 winter2024 winter2025
spring2024 spring2025 autumn2024 autumn2025 dragon12 dragon123 monkey12 monkey123 shadow123 killer123 hunter123
freedom1 fuckyou1 fuckyou2 asshole1 bullshit nothing1 samsung1 samsung123 google123 facebook facebook1 linkedin
linkedin1 instagram myspace1 minecraft roblox123 nintendo playstation xbox3600 hello123 hello1234 hellohello
helloworld goodluck godisgood jesus123 jesuschrist blessed1 family123 mylove123 lovelove loveyou1 iloveu12 babygirl
babygirl1 qweasdzxc qweasd123 poiuytrewq lkjhgfdsa mnbvcxz1 access14 mustang1 maverick phoenix1 scooter1 yankees1
cowboys1 steelers packers1 lakers24 pilothouse pilothouse1 kubernetes postgres postgres1 postgresql
`
    .trim()
    .split(/\s+/),
);
