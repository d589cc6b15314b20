// Generated from the names in programs/: `UPDATE=1 deno task test:io` writes it.
import type { ProofTable } from "../../support/shell_proof.ts";
import p0 from "./programs/7z.json" with { type: "json" };
import p1 from "./programs/VBoxManage.json" with { type: "json" };
import p2 from "./programs/abduco.json" with { type: "json" };
import p3 from "./programs/ack.json" with { type: "json" };
import p4 from "./programs/acpi.json" with { type: "json" };
import p5 from "./programs/adb.json" with { type: "json" };
import p6 from "./programs/addr2line.json" with { type: "json" };
import p7 from "./programs/ag.json" with { type: "json" };
import p8 from "./programs/age.json" with { type: "json" };
import p9 from "./programs/alias.json" with { type: "json" };
import p10 from "./programs/ansible.json" with { type: "json" };
import p11 from "./programs/antiword.json" with { type: "json" };
import p12 from "./programs/apg.json" with { type: "json" };
import p13 from "./programs/apk.json" with { type: "json" };
import p14 from "./programs/apply_patch.json" with { type: "json" };
import p15 from "./programs/apptainer.json" with { type: "json" };
import p16 from "./programs/apt.json" with { type: "json" };
import p17 from "./programs/ar.json" with { type: "json" };
import p18 from "./programs/arch.json" with { type: "json" };
import p19 from "./programs/argocd.json" with { type: "json" };
import p20 from "./programs/aria2c.json" with { type: "json" };
import p21 from "./programs/ascii.json" with { type: "json" };
import p22 from "./programs/asciitopgm.json" with { type: "json" };
import p23 from "./programs/asdf.json" with { type: "json" };
import p24 from "./programs/aspell.json" with { type: "json" };
import p25 from "./programs/at.json" with { type: "json" };
import p26 from "./programs/atool.json" with { type: "json" };
import p27 from "./programs/atq.json" with { type: "json" };
import p28 from "./programs/auth0.json" with { type: "json" };
import p29 from "./programs/authbind.json" with { type: "json" };
import p30 from "./programs/autossh.json" with { type: "json" };
import p31 from "./programs/awk.json" with { type: "json" };
import p32 from "./programs/aws-vault.json" with { type: "json" };
import p33 from "./programs/aws.json" with { type: "json" };
import p34 from "./programs/axel.json" with { type: "json" };
import p35 from "./programs/az.json" with { type: "json" };
import p36 from "./programs/b3sum.json" with { type: "json" };
import p37 from "./programs/banner.json" with { type: "json" };
import p38 from "./programs/base64.json" with { type: "json" };
import p39 from "./programs/basename.json" with { type: "json" };
import p40 from "./programs/bash.json" with { type: "json" };
import p41 from "./programs/bat.json" with { type: "json" };
import p42 from "./programs/batch.json" with { type: "json" };
import p43 from "./programs/bc.json" with { type: "json" };
import p44 from "./programs/bind.json" with { type: "json" };
import p45 from "./programs/biome.json" with { type: "json" };
import p46 from "./programs/birdc.json" with { type: "json" };
import p47 from "./programs/black.json" with { type: "json" };
import p48 from "./programs/bluetoothctl.json" with { type: "json" };
import p49 from "./programs/boxes.json" with { type: "json" };
import p50 from "./programs/bpftool.json" with { type: "json" };
import p51 from "./programs/bq.json" with { type: "json" };
import p52 from "./programs/break.json" with { type: "json" };
import p53 from "./programs/brew.json" with { type: "json" };
import p54 from "./programs/brightnessctl.json" with { type: "json" };
import p55 from "./programs/brotli.json" with { type: "json" };
import p56 from "./programs/bsdtar.json" with { type: "json" };
import p57 from "./programs/builtin.json" with { type: "json" };
import p58 from "./programs/bun.json" with { type: "json" };
import p59 from "./programs/bundle.json" with { type: "json" };
import p60 from "./programs/busctl.json" with { type: "json" };
import p61 from "./programs/busybox.json" with { type: "json" };
import p62 from "./programs/bwrap.json" with { type: "json" };
import p63 from "./programs/bzip2.json" with { type: "json" };
import p64 from "./programs/bzr.json" with { type: "json" };
import p65 from "./programs/c++filt.json" with { type: "json" };
import p66 from "./programs/cabextract.json" with { type: "json" };
import p67 from "./programs/caffeinate.json" with { type: "json" };
import p68 from "./programs/cal.json" with { type: "json" };
import p69 from "./programs/caliban.json" with { type: "json" };
import p70 from "./programs/caller.json" with { type: "json" };
import p71 from "./programs/capinfos.json" with { type: "json" };
import p72 from "./programs/capsh.json" with { type: "json" };
import p73 from "./programs/cargo.json" with { type: "json" };
import p74 from "./programs/cat.json" with { type: "json" };
import p75 from "./programs/catchsegv.json" with { type: "json" };
import p76 from "./programs/catdoc.json" with { type: "json" };
import p77 from "./programs/catimg.json" with { type: "json" };
import p78 from "./programs/cd.json" with { type: "json" };
import p79 from "./programs/cgexec.json" with { type: "json" };
import p80 from "./programs/chage.json" with { type: "json" };
import p81 from "./programs/chamber.json" with { type: "json" };
import p82 from "./programs/cheat.json" with { type: "json" };
import p83 from "./programs/chmod.json" with { type: "json" };
import p84 from "./programs/choco.json" with { type: "json" };
import p85 from "./programs/choom.json" with { type: "json" };
import p86 from "./programs/chown.json" with { type: "json" };
import p87 from "./programs/chpst.json" with { type: "json" };
import p88 from "./programs/chronic.json" with { type: "json" };
import p89 from "./programs/chroot.json" with { type: "json" };
import p90 from "./programs/chrpath.json" with { type: "json" };
import p91 from "./programs/chrt.json" with { type: "json" };
import p92 from "./programs/cksum.json" with { type: "json" };
import p93 from "./programs/cloc.json" with { type: "json" };
import p94 from "./programs/clush.json" with { type: "json" };
import p95 from "./programs/cmake.json" with { type: "json" };
import p96 from "./programs/cmark.json" with { type: "json" };
import p97 from "./programs/cmp.json" with { type: "json" };
import p98 from "./programs/codesign.json" with { type: "json" };
import p99 from "./programs/col.json" with { type: "json" };
import p100 from "./programs/colrm.json" with { type: "json" };
import p101 from "./programs/column.json" with { type: "json" };
import p102 from "./programs/combine.json" with { type: "json" };
import p103 from "./programs/comm.json" with { type: "json" };
import p104 from "./programs/command.json" with { type: "json" };
import p105 from "./programs/compgen.json" with { type: "json" };
import p106 from "./programs/composer.json" with { type: "json" };
import p107 from "./programs/concurrently.json" with { type: "json" };
import p108 from "./programs/conda.json" with { type: "json" };
import p109 from "./programs/consul.json" with { type: "json" };
import p110 from "./programs/continue.json" with { type: "json" };
import p111 from "./programs/convert.json" with { type: "json" };
import p112 from "./programs/cowsay.json" with { type: "json" };
import p113 from "./programs/cp.json" with { type: "json" };
import p114 from "./programs/cpio.json" with { type: "json" };
import p115 from "./programs/cpuid.json" with { type: "json" };
import p116 from "./programs/cpulimit.json" with { type: "json" };
import p117 from "./programs/crane.json" with { type: "json" };
import p118 from "./programs/crictl.json" with { type: "json" };
import p119 from "./programs/crontab.json" with { type: "json" };
import p120 from "./programs/cross-env-shell.json" with { type: "json" };
import p121 from "./programs/cross-env.json" with { type: "json" };
import p122 from "./programs/csplit.json" with { type: "json" };
import p123 from "./programs/csrutil.json" with { type: "json" };
import p124 from "./programs/csvcut.json" with { type: "json" };
import p125 from "./programs/csvformat.json" with { type: "json" };
import p126 from "./programs/csvgrep.json" with { type: "json" };
import p127 from "./programs/csvjoin.json" with { type: "json" };
import p128 from "./programs/csvjson.json" with { type: "json" };
import p129 from "./programs/csvlook.json" with { type: "json" };
import p130 from "./programs/csvpy.json" with { type: "json" };
import p131 from "./programs/csvsort.json" with { type: "json" };
import p132 from "./programs/csvsql.json" with { type: "json" };
import p133 from "./programs/csvstack.json" with { type: "json" };
import p134 from "./programs/csvstat.json" with { type: "json" };
import p135 from "./programs/cups-config.json" with { type: "json" };
import p136 from "./programs/curl.json" with { type: "json" };
import p137 from "./programs/cut.json" with { type: "json" };
import p138 from "./programs/daemon.json" with { type: "json" };
import p139 from "./programs/dasel.json" with { type: "json" };
import p140 from "./programs/dash.json" with { type: "json" };
import p141 from "./programs/datamash.json" with { type: "json" };
import p142 from "./programs/date.json" with { type: "json" };
import p143 from "./programs/dbus-launch.json" with { type: "json" };
import p144 from "./programs/dbus-run-session.json" with { type: "json" };
import p145 from "./programs/dc.json" with { type: "json" };
import p146 from "./programs/dd.json" with { type: "json" };
import p147 from "./programs/declare.json" with { type: "json" };
import p148 from "./programs/defaults.json" with { type: "json" };
import p149 from "./programs/delta.json" with { type: "json" };
import p150 from "./programs/deno.json" with { type: "json" };
import p151 from "./programs/df.json" with { type: "json" };
import p152 from "./programs/dfc.json" with { type: "json" };
import p153 from "./programs/diff.json" with { type: "json" };
import p154 from "./programs/diff3.json" with { type: "json" };
import p155 from "./programs/diffstat.json" with { type: "json" };
import p156 from "./programs/dig.json" with { type: "json" };
import p157 from "./programs/direnv.json" with { type: "json" };
import p158 from "./programs/dirname.json" with { type: "json" };
import p159 from "./programs/dirs.json" with { type: "json" };
import p160 from "./programs/diskutil.json" with { type: "json" };
import p161 from "./programs/disown.json" with { type: "json" };
import p162 from "./programs/distrobox.json" with { type: "json" };
import p163 from "./programs/dmesg.json" with { type: "json" };
import p164 from "./programs/dnf.json" with { type: "json" };
import p165 from "./programs/doas.json" with { type: "json" };
import p166 from "./programs/docker-compose.json" with { type: "json" };
import p167 from "./programs/docker.json" with { type: "json" };
import p168 from "./programs/doctl.json" with { type: "json" };
import p169 from "./programs/doppler.json" with { type: "json" };
import p170 from "./programs/dos2unix.json" with { type: "json" };
import p171 from "./programs/dotenv.json" with { type: "json" };
import p172 from "./programs/dotenvx.json" with { type: "json" };
import p173 from "./programs/dotnet.json" with { type: "json" };
import p174 from "./programs/dpkg.json" with { type: "json" };
import p175 from "./programs/dscl.json" with { type: "json" };
import p176 from "./programs/dsh.json" with { type: "json" };
import p177 from "./programs/dtach.json" with { type: "json" };
import p178 from "./programs/du.json" with { type: "json" };
import p179 from "./programs/dua.json" with { type: "json" };
import p180 from "./programs/duf.json" with { type: "json" };
import p181 from "./programs/dumb-init.json" with { type: "json" };
import p182 from "./programs/dust.json" with { type: "json" };
import p183 from "./programs/dysk.json" with { type: "json" };
import p184 from "./programs/echo.json" with { type: "json" };
import p185 from "./programs/ed.json" with { type: "json" };
import p186 from "./programs/efibootmgr.json" with { type: "json" };
import p187 from "./programs/efivar.json" with { type: "json" };
import p188 from "./programs/eksctl.json" with { type: "json" };
import p189 from "./programs/emacs.json" with { type: "json" };
import p190 from "./programs/enable.json" with { type: "json" };
import p191 from "./programs/enca.json" with { type: "json" };
import p192 from "./programs/entr.json" with { type: "json" };
import p193 from "./programs/env-cmd.json" with { type: "json" };
import p194 from "./programs/env.json" with { type: "json" };
import p195 from "./programs/envdir.json" with { type: "json" };
import p196 from "./programs/equery.json" with { type: "json" };
import p197 from "./programs/errno.json" with { type: "json" };
import p198 from "./programs/eslint.json" with { type: "json" };
import p199 from "./programs/eu-elfclassify.json" with { type: "json" };
import p200 from "./programs/eu-readelf.json" with { type: "json" };
import p201 from "./programs/eu-size.json" with { type: "json" };
import p202 from "./programs/eval.json" with { type: "json" };
import p203 from "./programs/exec.json" with { type: "json" };
import p204 from "./programs/exiftool.json" with { type: "json" };
import p205 from "./programs/exit.json" with { type: "json" };
import p206 from "./programs/exiv2.json" with { type: "json" };
import p207 from "./programs/expand.json" with { type: "json" };
import p208 from "./programs/expect.json" with { type: "json" };
import p209 from "./programs/export.json" with { type: "json" };
import p210 from "./programs/expr.json" with { type: "json" };
import p211 from "./programs/eza.json" with { type: "json" };
import p212 from "./programs/factor.json" with { type: "json" };
import p213 from "./programs/faillog.json" with { type: "json" };
import p214 from "./programs/fakechroot.json" with { type: "json" };
import p215 from "./programs/fakeroot.json" with { type: "json" };
import p216 from "./programs/faketime.json" with { type: "json" };
import p217 from "./programs/false.json" with { type: "json" };
import p218 from "./programs/fc.json" with { type: "json" };
import p219 from "./programs/fd.json" with { type: "json" };
import p220 from "./programs/fdesetup.json" with { type: "json" };
import p221 from "./programs/fdisk.json" with { type: "json" };
import p222 from "./programs/fdupes.json" with { type: "json" };
import p223 from "./programs/ffmpeg.json" with { type: "json" };
import p224 from "./programs/ffprobe.json" with { type: "json" };
import p225 from "./programs/figlet.json" with { type: "json" };
import p226 from "./programs/file.json" with { type: "json" };
import p227 from "./programs/filefrag.json" with { type: "json" };
import p228 from "./programs/filterdiff.json" with { type: "json" };
import p229 from "./programs/fincore.json" with { type: "json" };
import p230 from "./programs/find.json" with { type: "json" };
import p231 from "./programs/findmnt.json" with { type: "json" };
import p232 from "./programs/firejail.json" with { type: "json" };
import p233 from "./programs/fish.json" with { type: "json" };
import p234 from "./programs/flatpak-spawn.json" with { type: "json" };
import p235 from "./programs/flatpak.json" with { type: "json" };
import p236 from "./programs/flock.json" with { type: "json" };
import p237 from "./programs/flux.json" with { type: "json" };
import p238 from "./programs/flyctl.json" with { type: "json" };
import p239 from "./programs/fmt.json" with { type: "json" };
import p240 from "./programs/fnm.json" with { type: "json" };
import p241 from "./programs/fold.json" with { type: "json" };
import p242 from "./programs/foreman.json" with { type: "json" };
import p243 from "./programs/fossil.json" with { type: "json" };
import p244 from "./programs/free.json" with { type: "json" };
import p245 from "./programs/ftp.json" with { type: "json" };
import p246 from "./programs/fzf.json" with { type: "json" };
import p247 from "./programs/gcc.json" with { type: "json" };
import p248 from "./programs/gcloud.json" with { type: "json" };
import p249 from "./programs/gdb.json" with { type: "json" };
import p250 from "./programs/gem.json" with { type: "json" };
import p251 from "./programs/getcap.json" with { type: "json" };
import p252 from "./programs/getconf.json" with { type: "json" };
import p253 from "./programs/getent.json" with { type: "json" };
import p254 from "./programs/getfacl.json" with { type: "json" };
import p255 from "./programs/getfattr.json" with { type: "json" };
import p256 from "./programs/getopt.json" with { type: "json" };
import p257 from "./programs/getopts.json" with { type: "json" };
import p258 from "./programs/gh.json" with { type: "json" };
import p259 from "./programs/gifsicle.json" with { type: "json" };
import p260 from "./programs/git.json" with { type: "json" };
import p261 from "./programs/glab.json" with { type: "json" };
import p262 from "./programs/gnome-terminal.json" with { type: "json" };
import p263 from "./programs/go.json" with { type: "json" };
import p264 from "./programs/gofmt.json" with { type: "json" };
import p265 from "./programs/golangci-lint.json" with { type: "json" };
import p266 from "./programs/gosu.json" with { type: "json" };
import p267 from "./programs/gpg.json" with { type: "json" };
import p268 from "./programs/gradle.json" with { type: "json" };
import p269 from "./programs/grep.json" with { type: "json" };
import p270 from "./programs/grex.json" with { type: "json" };
import p271 from "./programs/gron.json" with { type: "json" };
import p272 from "./programs/grub-file.json" with { type: "json" };
import p273 from "./programs/gsutil.json" with { type: "json" };
import p274 from "./programs/gzip.json" with { type: "json" };
import p275 from "./programs/hadolint.json" with { type: "json" };
import p276 from "./programs/hash.json" with { type: "json" };
import p277 from "./programs/hashid.json" with { type: "json" };
import p278 from "./programs/hatch.json" with { type: "json" };
import p279 from "./programs/hcloud.json" with { type: "json" };
import p280 from "./programs/hdiutil.json" with { type: "json" };
import p281 from "./programs/head.json" with { type: "json" };
import p282 from "./programs/heaptrack.json" with { type: "json" };
import p283 from "./programs/helm.json" with { type: "json" };
import p284 from "./programs/heroku.json" with { type: "json" };
import p285 from "./programs/hexdump.json" with { type: "json" };
import p286 from "./programs/hexyl.json" with { type: "json" };
import p287 from "./programs/hg.json" with { type: "json" };
import p288 from "./programs/history.json" with { type: "json" };
import p289 from "./programs/host.json" with { type: "json" };
import p290 from "./programs/hostname.json" with { type: "json" };
import p291 from "./programs/http.json" with { type: "json" };
import p292 from "./programs/hyperfine.json" with { type: "json" };
import p293 from "./programs/i2cdetect.json" with { type: "json" };
import p294 from "./programs/iconv.json" with { type: "json" };
import p295 from "./programs/id.json" with { type: "json" };
import p296 from "./programs/id3v2.json" with { type: "json" };
import p297 from "./programs/ifconfig.json" with { type: "json" };
import p298 from "./programs/ifdata.json" with { type: "json" };
import p299 from "./programs/img2txt.json" with { type: "json" };
import p300 from "./programs/infisical.json" with { type: "json" };
import p301 from "./programs/info.json" with { type: "json" };
import p302 from "./programs/infocmp.json" with { type: "json" };
import p303 from "./programs/install.json" with { type: "json" };
import p304 from "./programs/ionice.json" with { type: "json" };
import p305 from "./programs/iostat.json" with { type: "json" };
import p306 from "./programs/ip.json" with { type: "json" };
import p307 from "./programs/ipcalc.json" with { type: "json" };
import p308 from "./programs/ipcs.json" with { type: "json" };
import p309 from "./programs/iptables.json" with { type: "json" };
import p310 from "./programs/irb.json" with { type: "json" };
import p311 from "./programs/isoinfo.json" with { type: "json" };
import p312 from "./programs/isort.json" with { type: "json" };
import p313 from "./programs/isosize.json" with { type: "json" };
import p314 from "./programs/isutf8.json" with { type: "json" };
import p315 from "./programs/iw.json" with { type: "json" };
import p316 from "./programs/jaq.json" with { type: "json" };
import p317 from "./programs/jar.json" with { type: "json" };
import p318 from "./programs/java.json" with { type: "json" };
import p319 from "./programs/javac.json" with { type: "json" };
import p320 from "./programs/jdupes.json" with { type: "json" };
import p321 from "./programs/jest.json" with { type: "json" };
import p322 from "./programs/jhead.json" with { type: "json" };
import p323 from "./programs/jj.json" with { type: "json" };
import p324 from "./programs/jobs.json" with { type: "json" };
import p325 from "./programs/join.json" with { type: "json" };
import p326 from "./programs/jot.json" with { type: "json" };
import p327 from "./programs/journalctl.json" with { type: "json" };
import p328 from "./programs/jpeginfo.json" with { type: "json" };
import p329 from "./programs/jq.json" with { type: "json" };
import p330 from "./programs/kill.json" with { type: "json" };
import p331 from "./programs/killall.json" with { type: "json" };
import p332 from "./programs/kitty.json" with { type: "json" };
import p333 from "./programs/ksh.json" with { type: "json" };
import p334 from "./programs/kubectl.json" with { type: "json" };
import p335 from "./programs/kubectx.json" with { type: "json" };
import p336 from "./programs/last.json" with { type: "json" };
import p337 from "./programs/lastlog.json" with { type: "json" };
import p338 from "./programs/launchctl.json" with { type: "json" };
import p339 from "./programs/ld.json" with { type: "json" };
import p340 from "./programs/ld.so.json" with { type: "json" };
import p341 from "./programs/ldconfig.json" with { type: "json" };
import p342 from "./programs/lerna.json" with { type: "json" };
import p343 from "./programs/less.json" with { type: "json" };
import p344 from "./programs/let.json" with { type: "json" };
import p345 from "./programs/linode-cli.json" with { type: "json" };
import p346 from "./programs/lipo.json" with { type: "json" };
import p347 from "./programs/llvm-config.json" with { type: "json" };
import p348 from "./programs/ln.json" with { type: "json" };
import p349 from "./programs/locale.json" with { type: "json" };
import p350 from "./programs/logger.json" with { type: "json" };
import p351 from "./programs/loginctl.json" with { type: "json" };
import p352 from "./programs/lolcat.json" with { type: "json" };
import p353 from "./programs/look.json" with { type: "json" };
import p354 from "./programs/losetup.json" with { type: "json" };
import p355 from "./programs/lpq.json" with { type: "json" };
import p356 from "./programs/lpstat.json" with { type: "json" };
import p357 from "./programs/ls.json" with { type: "json" };
import p358 from "./programs/lsar.json" with { type: "json" };
import p359 from "./programs/lsattr.json" with { type: "json" };
import p360 from "./programs/lsb_release.json" with { type: "json" };
import p361 from "./programs/lsblk.json" with { type: "json" };
import p362 from "./programs/lscpu.json" with { type: "json" };
import p363 from "./programs/lsd.json" with { type: "json" };
import p364 from "./programs/lsfd.json" with { type: "json" };
import p365 from "./programs/lshw.json" with { type: "json" };
import p366 from "./programs/lsipc.json" with { type: "json" };
import p367 from "./programs/lsirq.json" with { type: "json" };
import p368 from "./programs/lslocks.json" with { type: "json" };
import p369 from "./programs/lslogins.json" with { type: "json" };
import p370 from "./programs/lsmem.json" with { type: "json" };
import p371 from "./programs/lsmod.json" with { type: "json" };
import p372 from "./programs/lsns.json" with { type: "json" };
import p373 from "./programs/lsof.json" with { type: "json" };
import p374 from "./programs/lspci.json" with { type: "json" };
import p375 from "./programs/lsscsi.json" with { type: "json" };
import p376 from "./programs/lstopo-no-graphics.json" with { type: "json" };
import p377 from "./programs/lsusb.json" with { type: "json" };
import p378 from "./programs/ltrace.json" with { type: "json" };
import p379 from "./programs/lua.json" with { type: "json" };
import p380 from "./programs/lxc.json" with { type: "json" };
import p381 from "./programs/lz4.json" with { type: "json" };
import p382 from "./programs/m4.json" with { type: "json" };
import p383 from "./programs/machinectl.json" with { type: "json" };
import p384 from "./programs/mail.json" with { type: "json" };
import p385 from "./programs/make.json" with { type: "json" };
import p386 from "./programs/makepasswd.json" with { type: "json" };
import p387 from "./programs/man.json" with { type: "json" };
import p388 from "./programs/mapfile.json" with { type: "json" };
import p389 from "./programs/mcookie.json" with { type: "json" };
import p390 from "./programs/mdfind.json" with { type: "json" };
import p391 from "./programs/mdls.json" with { type: "json" };
import p392 from "./programs/mediainfo.json" with { type: "json" };
import p393 from "./programs/mesg.json" with { type: "json" };
import p394 from "./programs/metaflac.json" with { type: "json" };
import p395 from "./programs/mimetype.json" with { type: "json" };
import p396 from "./programs/mise.json" with { type: "json" };
import p397 from "./programs/mispipe.json" with { type: "json" };
import p398 from "./programs/mkdir.json" with { type: "json" };
import p399 from "./programs/mkfifo.json" with { type: "json" };
import p400 from "./programs/mkfs.json" with { type: "json" };
import p401 from "./programs/mknod.json" with { type: "json" };
import p402 from "./programs/mktemp.json" with { type: "json" };
import p403 from "./programs/mkvinfo.json" with { type: "json" };
import p404 from "./programs/mlr.json" with { type: "json" };
import p405 from "./programs/mmv.json" with { type: "json" };
import p406 from "./programs/modinfo.json" with { type: "json" };
import p407 from "./programs/modprobe.json" with { type: "json" };
import p408 from "./programs/mokutil.json" with { type: "json" };
import p409 from "./programs/more.json" with { type: "json" };
import p410 from "./programs/mosh.json" with { type: "json" };
import p411 from "./programs/mount.json" with { type: "json" };
import p412 from "./programs/mountpoint.json" with { type: "json" };
import p413 from "./programs/mp3info.json" with { type: "json" };
import p414 from "./programs/mpstat.json" with { type: "json" };
import p415 from "./programs/msgunfmt.json" with { type: "json" };
import p416 from "./programs/mullvad.json" with { type: "json" };
import p417 from "./programs/multipass.json" with { type: "json" };
import p418 from "./programs/mutool.json" with { type: "json" };
import p419 from "./programs/mutt.json" with { type: "json" };
import p420 from "./programs/mv.json" with { type: "json" };
import p421 from "./programs/mvn.json" with { type: "json" };
import p422 from "./programs/mypy.json" with { type: "json" };
import p423 from "./programs/mysql.json" with { type: "json" };
import p424 from "./programs/namei.json" with { type: "json" };
import p425 from "./programs/nano.json" with { type: "json" };
import p426 from "./programs/nc.json" with { type: "json" };
import p427 from "./programs/ncat.json" with { type: "json" };
import p428 from "./programs/netstat.json" with { type: "json" };
import p429 from "./programs/networksetup.json" with { type: "json" };
import p430 from "./programs/nice.json" with { type: "json" };
import p431 from "./programs/ninja.json" with { type: "json" };
import p432 from "./programs/nix-channel.json" with { type: "json" };
import p433 from "./programs/nix-env.json" with { type: "json" };
import p434 from "./programs/nix-shell.json" with { type: "json" };
import p435 from "./programs/nix-store.json" with { type: "json" };
import p436 from "./programs/nix.json" with { type: "json" };
import p437 from "./programs/nl.json" with { type: "json" };
import p438 from "./programs/nm.json" with { type: "json" };
import p439 from "./programs/nocache.json" with { type: "json" };
import p440 from "./programs/node.json" with { type: "json" };
import p441 from "./programs/nodemon.json" with { type: "json" };
import p442 from "./programs/nohup.json" with { type: "json" };
import p443 from "./programs/nomad.json" with { type: "json" };
import p444 from "./programs/nordvpn.json" with { type: "json" };
import p445 from "./programs/npm.json" with { type: "json" };
import p446 from "./programs/nproc.json" with { type: "json" };
import p447 from "./programs/npx.json" with { type: "json" };
import p448 from "./programs/nsenter.json" with { type: "json" };
import p449 from "./programs/nslookup.json" with { type: "json" };
import p450 from "./programs/numactl.json" with { type: "json" };
import p451 from "./programs/numfmt.json" with { type: "json" };
import p452 from "./programs/nvidia-smi.json" with { type: "json" };
import p453 from "./programs/nvm.json" with { type: "json" };
import p454 from "./programs/objdump.json" with { type: "json" };
import p455 from "./programs/od.json" with { type: "json" };
import p456 from "./programs/ogginfo.json" with { type: "json" };
import p457 from "./programs/op.json" with { type: "json" };
import p458 from "./programs/open.json" with { type: "json" };
import p459 from "./programs/openssl.json" with { type: "json" };
import p460 from "./programs/opkg.json" with { type: "json" };
import p461 from "./programs/osascript.json" with { type: "json" };
import p462 from "./programs/ostree.json" with { type: "json" };
import p463 from "./programs/otool.json" with { type: "json" };
import p464 from "./programs/pacman.json" with { type: "json" };
import p465 from "./programs/pamfile.json" with { type: "json" };
import p466 from "./programs/pandoc.json" with { type: "json" };
import p467 from "./programs/parallel-ssh.json" with { type: "json" };
import p468 from "./programs/parallel.json" with { type: "json" };
import p469 from "./programs/paste.json" with { type: "json" };
import p470 from "./programs/pastel.json" with { type: "json" };
import p471 from "./programs/patch.json" with { type: "json" };
import p472 from "./programs/patchelf.json" with { type: "json" };
import p473 from "./programs/pathchk.json" with { type: "json" };
import p474 from "./programs/pax.json" with { type: "json" };
import p475 from "./programs/pct.json" with { type: "json" };
import p476 from "./programs/pdb.json" with { type: "json" };
import p477 from "./programs/pdfdetach.json" with { type: "json" };
import p478 from "./programs/pdfgrep.json" with { type: "json" };
import p479 from "./programs/pdfimages.json" with { type: "json" };
import p480 from "./programs/pdfinfo.json" with { type: "json" };
import p481 from "./programs/pdftohtml.json" with { type: "json" };
import p482 from "./programs/pdftotext.json" with { type: "json" };
import p483 from "./programs/pdm.json" with { type: "json" };
import p484 from "./programs/pdsh.json" with { type: "json" };
import p485 from "./programs/perf.json" with { type: "json" };
import p486 from "./programs/perl.json" with { type: "json" };
import p487 from "./programs/pg_config.json" with { type: "json" };
import p488 from "./programs/pgrep.json" with { type: "json" };
import p489 from "./programs/php.json" with { type: "json" };
import p490 from "./programs/pidof.json" with { type: "json" };
import p491 from "./programs/pidstat.json" with { type: "json" };
import p492 from "./programs/ping.json" with { type: "json" };
import p493 from "./programs/pip.json" with { type: "json" };
import p494 from "./programs/pipenv.json" with { type: "json" };
import p495 from "./programs/pipx.json" with { type: "json" };
import p496 from "./programs/pixi.json" with { type: "json" };
import p497 from "./programs/pkexec.json" with { type: "json" };
import p498 from "./programs/pkg-config.json" with { type: "json" };
import p499 from "./programs/pkgutil.json" with { type: "json" };
import p500 from "./programs/pkill.json" with { type: "json" };
import p501 from "./programs/playwright.json" with { type: "json" };
import p502 from "./programs/plutil.json" with { type: "json" };
import p503 from "./programs/pmap.json" with { type: "json" };
import p504 from "./programs/pmset.json" with { type: "json" };
import p505 from "./programs/pngcheck.json" with { type: "json" };
import p506 from "./programs/pnpm.json" with { type: "json" };
import p507 from "./programs/podman.json" with { type: "json" };
import p508 from "./programs/poetry.json" with { type: "json" };
import p509 from "./programs/popd.json" with { type: "json" };
import p510 from "./programs/port.json" with { type: "json" };
import p511 from "./programs/pr.json" with { type: "json" };
import p512 from "./programs/prettier.json" with { type: "json" };
import p513 from "./programs/printenv.json" with { type: "json" };
import p514 from "./programs/printf.json" with { type: "json" };
import p515 from "./programs/prlimit.json" with { type: "json" };
import p516 from "./programs/profiles.json" with { type: "json" };
import p517 from "./programs/progress.json" with { type: "json" };
import p518 from "./programs/promtool.json" with { type: "json" };
import p519 from "./programs/proxychains4.json" with { type: "json" };
import p520 from "./programs/prtstat.json" with { type: "json" };
import p521 from "./programs/ps.json" with { type: "json" };
import p522 from "./programs/psql.json" with { type: "json" };
import p523 from "./programs/pstree.json" with { type: "json" };
import p524 from "./programs/ptx.json" with { type: "json" };
import p525 from "./programs/pueue.json" with { type: "json" };
import p526 from "./programs/pushd.json" with { type: "json" };
import p527 from "./programs/pv.json" with { type: "json" };
import p528 from "./programs/pveam.json" with { type: "json" };
import p529 from "./programs/pvecm.json" with { type: "json" };
import p530 from "./programs/pvesm.json" with { type: "json" };
import p531 from "./programs/pveversion.json" with { type: "json" };
import p532 from "./programs/pwd.json" with { type: "json" };
import p533 from "./programs/pwdx.json" with { type: "json" };
import p534 from "./programs/pwgen.json" with { type: "json" };
import p535 from "./programs/pwsh.json" with { type: "json" };
import p536 from "./programs/pycodestyle.json" with { type: "json" };
import p537 from "./programs/pyenv.json" with { type: "json" };
import p538 from "./programs/pyflakes.json" with { type: "json" };
import p539 from "./programs/pygmentize.json" with { type: "json" };
import p540 from "./programs/pytest.json" with { type: "json" };
import p541 from "./programs/python.json" with { type: "json" };
import p542 from "./programs/qm.json" with { type: "json" };
import p543 from "./programs/qpdf.json" with { type: "json" };
import p544 from "./programs/rails.json" with { type: "json" };
import p545 from "./programs/rake.json" with { type: "json" };
import p546 from "./programs/read.json" with { type: "json" };
import p547 from "./programs/readelf.json" with { type: "json" };
import p548 from "./programs/readlink.json" with { type: "json" };
import p549 from "./programs/readonly.json" with { type: "json" };
import p550 from "./programs/realpath.json" with { type: "json" };
import p551 from "./programs/rename.json" with { type: "json" };
import p552 from "./programs/rename.ul.json" with { type: "json" };
import p553 from "./programs/retry.json" with { type: "json" };
import p554 from "./programs/return.json" with { type: "json" };
import p555 from "./programs/rev.json" with { type: "json" };
import p556 from "./programs/rg.json" with { type: "json" };
import p557 from "./programs/rhash.json" with { type: "json" };
import p558 from "./programs/rig.json" with { type: "json" };
import p559 from "./programs/rlwrap.json" with { type: "json" };
import p560 from "./programs/rm.json" with { type: "json" };
import p561 from "./programs/rmdir.json" with { type: "json" };
import p562 from "./programs/rpm.json" with { type: "json" };
import p563 from "./programs/rr.json" with { type: "json" };
import p564 from "./programs/rs.json" with { type: "json" };
import p565 from "./programs/rsync.json" with { type: "json" };
import p566 from "./programs/ruby.json" with { type: "json" };
import p567 from "./programs/ruff.json" with { type: "json" };
import p568 from "./programs/runcon.json" with { type: "json" };
import p569 from "./programs/runuser.json" with { type: "json" };
import p570 from "./programs/rustc.json" with { type: "json" };
import p571 from "./programs/rustup.json" with { type: "json" };
import p572 from "./programs/sacct.json" with { type: "json" };
import p573 from "./programs/sar.json" with { type: "json" };
import p574 from "./programs/scc.json" with { type: "json" };
import p575 from "./programs/schedtool.json" with { type: "json" };
import p576 from "./programs/schroot.json" with { type: "json" };
import p577 from "./programs/scoop.json" with { type: "json" };
import p578 from "./programs/scp.json" with { type: "json" };
import p579 from "./programs/screen.json" with { type: "json" };
import p580 from "./programs/script.json" with { type: "json" };
import p581 from "./programs/scutil.json" with { type: "json" };
import p582 from "./programs/sdiag.json" with { type: "json" };
import p583 from "./programs/sdiff.json" with { type: "json" };
import p584 from "./programs/security.json" with { type: "json" };
import p585 from "./programs/sed.json" with { type: "json" };
import p586 from "./programs/selinuxenabled.json" with { type: "json" };
import p587 from "./programs/sendmail.json" with { type: "json" };
import p588 from "./programs/sensors.json" with { type: "json" };
import p589 from "./programs/seq.json" with { type: "json" };
import p590 from "./programs/sestatus.json" with { type: "json" };
import p591 from "./programs/set.json" with { type: "json" };
import p592 from "./programs/setarch.json" with { type: "json" };
import p593 from "./programs/setpriv.json" with { type: "json" };
import p594 from "./programs/setsid.json" with { type: "json" };
import p595 from "./programs/setxkbmap.json" with { type: "json" };
import p596 from "./programs/sftp.json" with { type: "json" };
import p597 from "./programs/sg.json" with { type: "json" };
import p598 from "./programs/sh.json" with { type: "json" };
import p599 from "./programs/shellcheck.json" with { type: "json" };
import p600 from "./programs/shfmt.json" with { type: "json" };
import p601 from "./programs/shopt.json" with { type: "json" };
import p602 from "./programs/shred.json" with { type: "json" };
import p603 from "./programs/shuf.json" with { type: "json" };
import p604 from "./programs/shutdown.json" with { type: "json" };
import p605 from "./programs/sinfo.json" with { type: "json" };
import p606 from "./programs/sipcalc.json" with { type: "json" };
import p607 from "./programs/sips.json" with { type: "json" };
import p608 from "./programs/size.json" with { type: "json" };
import p609 from "./programs/sleep.json" with { type: "json" };
import p610 from "./programs/snap.json" with { type: "json" };
import p611 from "./programs/socat.json" with { type: "json" };
import p612 from "./programs/softlimit.json" with { type: "json" };
import p613 from "./programs/sops.json" with { type: "json" };
import p614 from "./programs/sort.json" with { type: "json" };
import p615 from "./programs/source.json" with { type: "json" };
import p616 from "./programs/sox.json" with { type: "json" };
import p617 from "./programs/spctl.json" with { type: "json" };
import p618 from "./programs/split.json" with { type: "json" };
import p619 from "./programs/sprio.json" with { type: "json" };
import p620 from "./programs/sqlite3.json" with { type: "json" };
import p621 from "./programs/squeue.json" with { type: "json" };
import p622 from "./programs/ss.json" with { type: "json" };
import p623 from "./programs/ssh-agent.json" with { type: "json" };
import p624 from "./programs/ssh-keygen.json" with { type: "json" };
import p625 from "./programs/ssh.json" with { type: "json" };
import p626 from "./programs/sshare.json" with { type: "json" };
import p627 from "./programs/sshpass.json" with { type: "json" };
import p628 from "./programs/start-stop-daemon.json" with { type: "json" };
import p629 from "./programs/startx.json" with { type: "json" };
import p630 from "./programs/stat.json" with { type: "json" };
import p631 from "./programs/stdbuf.json" with { type: "json" };
import p632 from "./programs/stern.json" with { type: "json" };
import p633 from "./programs/strace.json" with { type: "json" };
import p634 from "./programs/strings.json" with { type: "json" };
import p635 from "./programs/stty.json" with { type: "json" };
import p636 from "./programs/su.json" with { type: "json" };
import p637 from "./programs/sudo.json" with { type: "json" };
import p638 from "./programs/suspend.json" with { type: "json" };
import p639 from "./programs/svn.json" with { type: "json" };
import p640 from "./programs/sw_vers.json" with { type: "json" };
import p641 from "./programs/swapon.json" with { type: "json" };
import p642 from "./programs/swift.json" with { type: "json" };
import p643 from "./programs/sysctl.json" with { type: "json" };
import p644 from "./programs/system_profiler.json" with { type: "json" };
import p645 from "./programs/systemctl.json" with { type: "json" };
import p646 from "./programs/systemd-analyze.json" with { type: "json" };
import p647 from "./programs/systemd-cgls.json" with { type: "json" };
import p648 from "./programs/systemd-delta.json" with { type: "json" };
import p649 from "./programs/systemd-detect-virt.json" with { type: "json" };
import p650 from "./programs/systemd-escape.json" with { type: "json" };
import p651 from "./programs/systemd-id128.json" with { type: "json" };
import p652 from "./programs/systemd-inhibit.json" with { type: "json" };
import p653 from "./programs/systemd-path.json" with { type: "json" };
import p654 from "./programs/systemd-run.json" with { type: "json" };
import p655 from "./programs/systemd-sysusers.json" with { type: "json" };
import p656 from "./programs/tac.json" with { type: "json" };
import p657 from "./programs/tail.json" with { type: "json" };
import p658 from "./programs/tapestat.json" with { type: "json" };
import p659 from "./programs/tar.json" with { type: "json" };
import p660 from "./programs/taskset.json" with { type: "json" };
import p661 from "./programs/tcpdump.json" with { type: "json" };
import p662 from "./programs/tcpserver.json" with { type: "json" };
import p663 from "./programs/tcsh.json" with { type: "json" };
import p664 from "./programs/tee.json" with { type: "json" };
import p665 from "./programs/terraform.json" with { type: "json" };
import p666 from "./programs/tesseract.json" with { type: "json" };
import p667 from "./programs/test.json" with { type: "json" };
import p668 from "./programs/time.json" with { type: "json" };
import p669 from "./programs/timedatectl.json" with { type: "json" };
import p670 from "./programs/timeout.json" with { type: "json" };
import p671 from "./programs/times.json" with { type: "json" };
import p672 from "./programs/tini.json" with { type: "json" };
import p673 from "./programs/tldr.json" with { type: "json" };
import p674 from "./programs/tlmgr.json" with { type: "json" };
import p675 from "./programs/tmutil.json" with { type: "json" };
import p676 from "./programs/tmux.json" with { type: "json" };
import p677 from "./programs/toe.json" with { type: "json" };
import p678 from "./programs/tokei.json" with { type: "json" };
import p679 from "./programs/toolbox.json" with { type: "json" };
import p680 from "./programs/top.json" with { type: "json" };
import p681 from "./programs/torsocks.json" with { type: "json" };
import p682 from "./programs/touch.json" with { type: "json" };
import p683 from "./programs/toybox.json" with { type: "json" };
import p684 from "./programs/tpm2.json" with { type: "json" };
import p685 from "./programs/tput.json" with { type: "json" };
import p686 from "./programs/tr.json" with { type: "json" };
import p687 from "./programs/transmission-show.json" with { type: "json" };
import p688 from "./programs/trap.json" with { type: "json" };
import p689 from "./programs/tree.json" with { type: "json" };
import p690 from "./programs/trickle.json" with { type: "json" };
import p691 from "./programs/true.json" with { type: "json" };
import p692 from "./programs/truncate.json" with { type: "json" };
import p693 from "./programs/ts-node.json" with { type: "json" };
import p694 from "./programs/tsc.json" with { type: "json" };
import p695 from "./programs/tsort.json" with { type: "json" };
import p696 from "./programs/tsx.json" with { type: "json" };
import p697 from "./programs/tty.json" with { type: "json" };
import p698 from "./programs/type.json" with { type: "json" };
import p699 from "./programs/uchardet.json" with { type: "json" };
import p700 from "./programs/ul.json" with { type: "json" };
import p701 from "./programs/ulimit.json" with { type: "json" };
import p702 from "./programs/umask.json" with { type: "json" };
import p703 from "./programs/unalias.json" with { type: "json" };
import p704 from "./programs/uname.json" with { type: "json" };
import p705 from "./programs/unar.json" with { type: "json" };
import p706 from "./programs/unbuffer.json" with { type: "json" };
import p707 from "./programs/uniq.json" with { type: "json" };
import p708 from "./programs/units.json" with { type: "json" };
import p709 from "./programs/unrar.json" with { type: "json" };
import p710 from "./programs/unset.json" with { type: "json" };
import p711 from "./programs/unshare.json" with { type: "json" };
import p712 from "./programs/unsquashfs.json" with { type: "json" };
import p713 from "./programs/unzip.json" with { type: "json" };
import p714 from "./programs/update-alternatives.json" with { type: "json" };
import p715 from "./programs/upower.json" with { type: "json" };
import p716 from "./programs/uprecords.json" with { type: "json" };
import p717 from "./programs/uptime.json" with { type: "json" };
import p718 from "./programs/useradd.json" with { type: "json" };
import p719 from "./programs/users.json" with { type: "json" };
import p720 from "./programs/utmpdump.json" with { type: "json" };
import p721 from "./programs/uuid.json" with { type: "json" };
import p722 from "./programs/uuidgen.json" with { type: "json" };
import p723 from "./programs/uuidparse.json" with { type: "json" };
import p724 from "./programs/uv.json" with { type: "json" };
import p725 from "./programs/uvx.json" with { type: "json" };
import p726 from "./programs/v4l2-ctl.json" with { type: "json" };
import p727 from "./programs/vagrant.json" with { type: "json" };
import p728 from "./programs/valgrind.json" with { type: "json" };
import p729 from "./programs/vcgencmd.json" with { type: "json" };
import p730 from "./programs/velero.json" with { type: "json" };
import p731 from "./programs/vidir.json" with { type: "json" };
import p732 from "./programs/vim.json" with { type: "json" };
import p733 from "./programs/vitest.json" with { type: "json" };
import p734 from "./programs/vmstat.json" with { type: "json" };
import p735 from "./programs/vnstat.json" with { type: "json" };
import p736 from "./programs/vorbiscomment.json" with { type: "json" };
import p737 from "./programs/w.json" with { type: "json" };
import p738 from "./programs/wait.json" with { type: "json" };
import p739 from "./programs/wall.json" with { type: "json" };
import p740 from "./programs/wasm-objdump.json" with { type: "json" };
import p741 from "./programs/wasm2wat.json" with { type: "json" };
import p742 from "./programs/watch.json" with { type: "json" };
import p743 from "./programs/watchexec.json" with { type: "json" };
import p744 from "./programs/wc.json" with { type: "json" };
import p745 from "./programs/wcurl.json" with { type: "json" };
import p746 from "./programs/wdiff.json" with { type: "json" };
import p747 from "./programs/webpinfo.json" with { type: "json" };
import p748 from "./programs/wget.json" with { type: "json" };
import p749 from "./programs/whatis.json" with { type: "json" };
import p750 from "./programs/where.json" with { type: "json" };
import p751 from "./programs/whereis.json" with { type: "json" };
import p752 from "./programs/which.json" with { type: "json" };
import p753 from "./programs/who.json" with { type: "json" };
import p754 from "./programs/whoami.json" with { type: "json" };
import p755 from "./programs/winget.json" with { type: "json" };
import p756 from "./programs/wmctrl.json" with { type: "json" };
import p757 from "./programs/wsl.json" with { type: "json" };
import p758 from "./programs/xargs.json" with { type: "json" };
import p759 from "./programs/xattr.json" with { type: "json" };
import p760 from "./programs/xbps-query.json" with { type: "json" };
import p761 from "./programs/xcode-select.json" with { type: "json" };
import p762 from "./programs/xdg-open.json" with { type: "json" };
import p763 from "./programs/xdpyinfo.json" with { type: "json" };
import p764 from "./programs/xinput.json" with { type: "json" };
import p765 from "./programs/xkcdpass.json" with { type: "json" };
import p766 from "./programs/xlsclients.json" with { type: "json" };
import p767 from "./programs/xlsfonts.json" with { type: "json" };
import p768 from "./programs/xlsx2csv.json" with { type: "json" };
import p769 from "./programs/xmllint.json" with { type: "json" };
import p770 from "./programs/xrandr.json" with { type: "json" };
import p771 from "./programs/xset.json" with { type: "json" };
import p772 from "./programs/xsv.json" with { type: "json" };
import p773 from "./programs/xterm.json" with { type: "json" };
import p774 from "./programs/xvfb-run.json" with { type: "json" };
import p775 from "./programs/xwininfo.json" with { type: "json" };
import p776 from "./programs/xxd.json" with { type: "json" };
import p777 from "./programs/xxhsum.json" with { type: "json" };
import p778 from "./programs/xz.json" with { type: "json" };
import p779 from "./programs/yamllint.json" with { type: "json" };
import p780 from "./programs/yarn.json" with { type: "json" };
import p781 from "./programs/yay.json" with { type: "json" };
import p782 from "./programs/yes.json" with { type: "json" };
import p783 from "./programs/ykman.json" with { type: "json" };
import p784 from "./programs/yq.json" with { type: "json" };
import p785 from "./programs/yt-dlp.json" with { type: "json" };
import p786 from "./programs/zcat.json" with { type: "json" };
import p787 from "./programs/zdiff.json" with { type: "json" };
import p788 from "./programs/zdump.json" with { type: "json" };
import p789 from "./programs/zellij.json" with { type: "json" };
import p790 from "./programs/zgrep.json" with { type: "json" };
import p791 from "./programs/zip.json" with { type: "json" };
import p792 from "./programs/zipinfo.json" with { type: "json" };
import p793 from "./programs/zipnote.json" with { type: "json" };
import p794 from "./programs/zramctl.json" with { type: "json" };
import p795 from "./programs/zsh.json" with { type: "json" };
import p796 from "./programs/zstd.json" with { type: "json" };
import p797 from "./programs/zypper.json" with { type: "json" };

/** Every proof table, by the name of its file. */
export const PROOF_TABLES: readonly ProofTable[] = [
  p0,
  p1,
  p2,
  p3,
  p4,
  p5,
  p6,
  p7,
  p8,
  p9,
  p10,
  p11,
  p12,
  p13,
  p14,
  p15,
  p16,
  p17,
  p18,
  p19,
  p20,
  p21,
  p22,
  p23,
  p24,
  p25,
  p26,
  p27,
  p28,
  p29,
  p30,
  p31,
  p32,
  p33,
  p34,
  p35,
  p36,
  p37,
  p38,
  p39,
  p40,
  p41,
  p42,
  p43,
  p44,
  p45,
  p46,
  p47,
  p48,
  p49,
  p50,
  p51,
  p52,
  p53,
  p54,
  p55,
  p56,
  p57,
  p58,
  p59,
  p60,
  p61,
  p62,
  p63,
  p64,
  p65,
  p66,
  p67,
  p68,
  p69,
  p70,
  p71,
  p72,
  p73,
  p74,
  p75,
  p76,
  p77,
  p78,
  p79,
  p80,
  p81,
  p82,
  p83,
  p84,
  p85,
  p86,
  p87,
  p88,
  p89,
  p90,
  p91,
  p92,
  p93,
  p94,
  p95,
  p96,
  p97,
  p98,
  p99,
  p100,
  p101,
  p102,
  p103,
  p104,
  p105,
  p106,
  p107,
  p108,
  p109,
  p110,
  p111,
  p112,
  p113,
  p114,
  p115,
  p116,
  p117,
  p118,
  p119,
  p120,
  p121,
  p122,
  p123,
  p124,
  p125,
  p126,
  p127,
  p128,
  p129,
  p130,
  p131,
  p132,
  p133,
  p134,
  p135,
  p136,
  p137,
  p138,
  p139,
  p140,
  p141,
  p142,
  p143,
  p144,
  p145,
  p146,
  p147,
  p148,
  p149,
  p150,
  p151,
  p152,
  p153,
  p154,
  p155,
  p156,
  p157,
  p158,
  p159,
  p160,
  p161,
  p162,
  p163,
  p164,
  p165,
  p166,
  p167,
  p168,
  p169,
  p170,
  p171,
  p172,
  p173,
  p174,
  p175,
  p176,
  p177,
  p178,
  p179,
  p180,
  p181,
  p182,
  p183,
  p184,
  p185,
  p186,
  p187,
  p188,
  p189,
  p190,
  p191,
  p192,
  p193,
  p194,
  p195,
  p196,
  p197,
  p198,
  p199,
  p200,
  p201,
  p202,
  p203,
  p204,
  p205,
  p206,
  p207,
  p208,
  p209,
  p210,
  p211,
  p212,
  p213,
  p214,
  p215,
  p216,
  p217,
  p218,
  p219,
  p220,
  p221,
  p222,
  p223,
  p224,
  p225,
  p226,
  p227,
  p228,
  p229,
  p230,
  p231,
  p232,
  p233,
  p234,
  p235,
  p236,
  p237,
  p238,
  p239,
  p240,
  p241,
  p242,
  p243,
  p244,
  p245,
  p246,
  p247,
  p248,
  p249,
  p250,
  p251,
  p252,
  p253,
  p254,
  p255,
  p256,
  p257,
  p258,
  p259,
  p260,
  p261,
  p262,
  p263,
  p264,
  p265,
  p266,
  p267,
  p268,
  p269,
  p270,
  p271,
  p272,
  p273,
  p274,
  p275,
  p276,
  p277,
  p278,
  p279,
  p280,
  p281,
  p282,
  p283,
  p284,
  p285,
  p286,
  p287,
  p288,
  p289,
  p290,
  p291,
  p292,
  p293,
  p294,
  p295,
  p296,
  p297,
  p298,
  p299,
  p300,
  p301,
  p302,
  p303,
  p304,
  p305,
  p306,
  p307,
  p308,
  p309,
  p310,
  p311,
  p312,
  p313,
  p314,
  p315,
  p316,
  p317,
  p318,
  p319,
  p320,
  p321,
  p322,
  p323,
  p324,
  p325,
  p326,
  p327,
  p328,
  p329,
  p330,
  p331,
  p332,
  p333,
  p334,
  p335,
  p336,
  p337,
  p338,
  p339,
  p340,
  p341,
  p342,
  p343,
  p344,
  p345,
  p346,
  p347,
  p348,
  p349,
  p350,
  p351,
  p352,
  p353,
  p354,
  p355,
  p356,
  p357,
  p358,
  p359,
  p360,
  p361,
  p362,
  p363,
  p364,
  p365,
  p366,
  p367,
  p368,
  p369,
  p370,
  p371,
  p372,
  p373,
  p374,
  p375,
  p376,
  p377,
  p378,
  p379,
  p380,
  p381,
  p382,
  p383,
  p384,
  p385,
  p386,
  p387,
  p388,
  p389,
  p390,
  p391,
  p392,
  p393,
  p394,
  p395,
  p396,
  p397,
  p398,
  p399,
  p400,
  p401,
  p402,
  p403,
  p404,
  p405,
  p406,
  p407,
  p408,
  p409,
  p410,
  p411,
  p412,
  p413,
  p414,
  p415,
  p416,
  p417,
  p418,
  p419,
  p420,
  p421,
  p422,
  p423,
  p424,
  p425,
  p426,
  p427,
  p428,
  p429,
  p430,
  p431,
  p432,
  p433,
  p434,
  p435,
  p436,
  p437,
  p438,
  p439,
  p440,
  p441,
  p442,
  p443,
  p444,
  p445,
  p446,
  p447,
  p448,
  p449,
  p450,
  p451,
  p452,
  p453,
  p454,
  p455,
  p456,
  p457,
  p458,
  p459,
  p460,
  p461,
  p462,
  p463,
  p464,
  p465,
  p466,
  p467,
  p468,
  p469,
  p470,
  p471,
  p472,
  p473,
  p474,
  p475,
  p476,
  p477,
  p478,
  p479,
  p480,
  p481,
  p482,
  p483,
  p484,
  p485,
  p486,
  p487,
  p488,
  p489,
  p490,
  p491,
  p492,
  p493,
  p494,
  p495,
  p496,
  p497,
  p498,
  p499,
  p500,
  p501,
  p502,
  p503,
  p504,
  p505,
  p506,
  p507,
  p508,
  p509,
  p510,
  p511,
  p512,
  p513,
  p514,
  p515,
  p516,
  p517,
  p518,
  p519,
  p520,
  p521,
  p522,
  p523,
  p524,
  p525,
  p526,
  p527,
  p528,
  p529,
  p530,
  p531,
  p532,
  p533,
  p534,
  p535,
  p536,
  p537,
  p538,
  p539,
  p540,
  p541,
  p542,
  p543,
  p544,
  p545,
  p546,
  p547,
  p548,
  p549,
  p550,
  p551,
  p552,
  p553,
  p554,
  p555,
  p556,
  p557,
  p558,
  p559,
  p560,
  p561,
  p562,
  p563,
  p564,
  p565,
  p566,
  p567,
  p568,
  p569,
  p570,
  p571,
  p572,
  p573,
  p574,
  p575,
  p576,
  p577,
  p578,
  p579,
  p580,
  p581,
  p582,
  p583,
  p584,
  p585,
  p586,
  p587,
  p588,
  p589,
  p590,
  p591,
  p592,
  p593,
  p594,
  p595,
  p596,
  p597,
  p598,
  p599,
  p600,
  p601,
  p602,
  p603,
  p604,
  p605,
  p606,
  p607,
  p608,
  p609,
  p610,
  p611,
  p612,
  p613,
  p614,
  p615,
  p616,
  p617,
  p618,
  p619,
  p620,
  p621,
  p622,
  p623,
  p624,
  p625,
  p626,
  p627,
  p628,
  p629,
  p630,
  p631,
  p632,
  p633,
  p634,
  p635,
  p636,
  p637,
  p638,
  p639,
  p640,
  p641,
  p642,
  p643,
  p644,
  p645,
  p646,
  p647,
  p648,
  p649,
  p650,
  p651,
  p652,
  p653,
  p654,
  p655,
  p656,
  p657,
  p658,
  p659,
  p660,
  p661,
  p662,
  p663,
  p664,
  p665,
  p666,
  p667,
  p668,
  p669,
  p670,
  p671,
  p672,
  p673,
  p674,
  p675,
  p676,
  p677,
  p678,
  p679,
  p680,
  p681,
  p682,
  p683,
  p684,
  p685,
  p686,
  p687,
  p688,
  p689,
  p690,
  p691,
  p692,
  p693,
  p694,
  p695,
  p696,
  p697,
  p698,
  p699,
  p700,
  p701,
  p702,
  p703,
  p704,
  p705,
  p706,
  p707,
  p708,
  p709,
  p710,
  p711,
  p712,
  p713,
  p714,
  p715,
  p716,
  p717,
  p718,
  p719,
  p720,
  p721,
  p722,
  p723,
  p724,
  p725,
  p726,
  p727,
  p728,
  p729,
  p730,
  p731,
  p732,
  p733,
  p734,
  p735,
  p736,
  p737,
  p738,
  p739,
  p740,
  p741,
  p742,
  p743,
  p744,
  p745,
  p746,
  p747,
  p748,
  p749,
  p750,
  p751,
  p752,
  p753,
  p754,
  p755,
  p756,
  p757,
  p758,
  p759,
  p760,
  p761,
  p762,
  p763,
  p764,
  p765,
  p766,
  p767,
  p768,
  p769,
  p770,
  p771,
  p772,
  p773,
  p774,
  p775,
  p776,
  p777,
  p778,
  p779,
  p780,
  p781,
  p782,
  p783,
  p784,
  p785,
  p786,
  p787,
  p788,
  p789,
  p790,
  p791,
  p792,
  p793,
  p794,
  p795,
  p796,
  p797,
];
